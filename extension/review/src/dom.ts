/** Elements in one expression; no text ever becomes markup. */

import { icon, type IconName } from './icons';

export type Child = Node | string | null | undefined | false;

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>>;

/** Create an element; a function is a listener (`onclick`), `false` and null leave out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export interface ButtonOptions {
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'look' | 'quiet';
  readonly name?: string;
  readonly title?: string | undefined;
  /** Why it cannot be used now; the button stays focusable. */
  readonly disabled?: string | undefined;
  readonly onclick: () => void;
}

/** A button; without `text` it is an icon whose label is `title`. */
export function button(text: string, options: ButtonOptions): HTMLButtonElement {
  const classes = ['fpt-btn'];
  if (options.kind) classes.push(`fpt-btn--${options.kind}`);
  if (!text) classes.push('fpt-btn--icon');
  const element = h(
    'button',
    {
      type: 'button',
      class: classes.join(' '),
      'data-name': options.name,
      title: options.disabled ?? options.title,
      'aria-label': text ? null : options.title,
      'aria-disabled': options.disabled === undefined ? null : 'true',
      onclick: () => {
        if (element.getAttribute('aria-disabled') !== 'true') options.onclick();
      },
    },
    options.icon && icon(options.icon),
    text,
  );
  return element;
}

/** A place as a link-like button: it moves within the review. */
export function link(text: Child, onclick: () => void, title?: string): HTMLButtonElement {
  return h('button', { type: 'button', class: 'fpt-link', title, onclick }, text);
}

/** A chip: one measured fact. */
export function chip(name: IconName, text: string, tone: '' | 'ok' | 'warn' | 'error' | 'info', title?: string): HTMLElement {
  return h('span', { class: tone ? `fpt-chip fpt-chip--${tone}` : 'fpt-chip', title }, icon(name, name === 'busy' ? 'busy' : ''), text);
}

/** A name that is shortened in the middle where it does not fit: its end tells files apart. */
export function shortName(name: string, title = name): HTMLElement {
  const points = [...name];
  const tail = points.length > 22 ? 14 : 0;
  return h(
    'span',
    { class: 'fpt-name', title },
    h('span', { class: 'fpt-name__head' }, points.slice(0, points.length - tail).join('')),
    tail ? h('span', { class: 'fpt-name__tail' }, points.slice(-tail).join('')) : null,
  );
}

/** Text in which `back-quoted` parts are set as code. */
export function prose(text: string): Child[] {
  return text.split('`').map((part, index) => (index % 2 ? h('code', {}, part) : part));
}
