/** All places of one rule, to be written together: safe ones are ticked, none is hidden. */

import { button, h, shortName } from '../dom';
import type { Place } from '../wire';
import { type Context, nameOf } from './context';

function state(context: Context, place: Place): string {
  const { words } = context;
  const trust = { safe: words.safe[0], unsafe: words.look[0], 'display-only': words.adviceOnly[0] }[place.applicability];
  const reason = place.applicability === 'unsafe' && place.reason ? `${place.reason}: ` : '';
  const tried = place.trial === 'fixed' || place.trial === 'advanced' ? ` · ${words.tried}` : '';
  return reason + trust + tried;
}

function row(context: Context, place: Place, changed: () => void): [HTMLElement, HTMLInputElement] {
  const tick = h('input', { type: 'checkbox', value: place.id, checked: place.applicability === 'safe', onchange: changed });
  const where = `${nameOf(context, place.path)}:${place.line + 1}`;
  const label = h(
    'label',
    { class: 'fpt-places__row' },
    tick,
    h('span', { class: 'fpt-mono fpt-cut' }, shortName(where, `${place.path}:${place.line + 1}`)),
    h('code', { class: 'fpt-cut', title: place.code }, place.code),
    h('span', { class: 'fpt-muted' }, state(context, place)),
  );
  return [label, tick];
}

/** The list that accepts many places at once. */
export function places(context: Context, rule: string, all: readonly Place[]): HTMLElement {
  const { words, commands } = context;
  const ticked = (): string[] => pairs.flatMap(([, tick]) => (tick.checked ? [tick.value] : []));
  const accept = button('', { icon: 'ok', kind: 'primary', name: 'accept-all', onclick: () => { commands.accept(ticked(), words.accept); } });
  const together = button(words.tryTogether, { icon: 'flask', name: 'try-all', disabled: context.held, onclick: () => { commands.tryOut(ticked()); } });
  const save = button(words.savePatch, { name: 'patch-all', disabled: context.held, onclick: () => { commands.savePatch(ticked(), 'patch-all'); } });
  accept.classList.remove('fpt-btn--icon');
  accept.removeAttribute('aria-label');
  const text = document.createTextNode('');
  accept.append(text);
  const changed = (): void => {
    const count = ticked().length;
    const reason = context.held ?? (count ? undefined : words.needsOne);
    text.data = words.acceptN(count);
    for (const element of [accept, together, save]) {
      element.toggleAttribute('aria-disabled', reason !== undefined);
      if (reason !== undefined) element.setAttribute('aria-disabled', 'true');
      element.title = reason ?? '';
    }
  };
  const usable = all.filter((place) => place.applicability !== 'display-only');
  const pairs = usable.map((place) => row(context, place, changed));
  changed();
  const files = new Set(usable.map((place) => place.path)).size;
  return h(
    'section',
    { class: 'fpt-places', 'aria-label': `${words.allOf} ${rule}` },
    h(
      'header',
      { class: 'fpt-head' },
      h('h4', { class: 'fpt-head__title', tabindex: '-1', 'data-name': 'places-title' }, `${words.allOf} `, h('code', {}, rule)),
      h('span', { class: 'fpt-muted' }, words.allOfText(usable.length, files)),
      h('span', { class: 'fpt-spacer' }),
      h('span', { class: 'fpt-btns' }, accept, together, save, button(words.back, { name: 'back', onclick: commands.back })),
    ),
    h('div', { class: 'fpt-places__list' }, ...pairs.map(([label]) => label)),
    h('p', { class: 'fpt-places__foot fpt-muted' }, words.onlySafe),
  );
}
