/** Named places in the review that are drawn anew without losing the focus or what is open. */

import type { Child } from './dom';

function named(root: ParentNode, name: string): HTMLElement | undefined {
  return [...root.querySelectorAll<HTMLElement>('[data-name]')].find((element) => element.dataset['name'] === name);
}

/** Put `children` into `section`; the focused control and opened details stay so by their name. */
export function redraw(section: HTMLElement, ...children: Child[]): void {
  const focused = section.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  const name = focused?.dataset['name'];
  const open = [...section.querySelectorAll<HTMLElement>('details[open] > summary[data-name]')].map((summary) => summary.dataset['name'] ?? '');
  const selection = focused instanceof HTMLTextAreaElement ? ([focused.selectionStart, focused.selectionEnd] as const) : null;
  section.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
  for (const summary of open) named(section, summary)?.parentElement?.setAttribute('open', '');
  for (const toolbar of section.querySelectorAll('[role=toolbar]')) rove(toolbar, null);
  const again = name === undefined ? undefined : named(section, name);
  again?.focus({ preventScroll: true });
  if (again instanceof HTMLTextAreaElement && selection) again.setSelectionRange(...selection);
}

/** Focus a control by its name; return whether it is there. */
export function focusNamed(root: ParentNode, ...names: readonly string[]): boolean {
  for (const name of names) {
    const element = named(root, name);
    if (!element) continue;
    element.focus({ preventScroll: true });
    return true;
  }
  return false;
}

/** Make `current` (or the first control) the toolbar's only tab stop. */
export function rove(toolbar: Element, current: Element | null): void {
  const controls = [...toolbar.querySelectorAll('button')];
  const stop = controls.find((control) => control === current) ?? controls[0];
  for (const control of controls) control.tabIndex = control === stop ? 0 : -1;
}
