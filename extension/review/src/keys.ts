/** The keys of the review. No single letters: if the focus slips out, Lab would cut a cell. */

import type { Commands } from './parts/context';
import { rove } from './sections';

/** The commands and what Esc does; false if there was nothing to leave. */
export type Keyed = Commands & { readonly escape: () => boolean };

function inText(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
}

function toolbarKey(event: KeyboardEvent): boolean {
  const toolbar = event.target instanceof Element ? event.target.closest('[role=toolbar]') : null;
  if (!toolbar || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return false;
  const controls = [...toolbar.querySelectorAll('button')];
  const here = controls.findIndex((control) => control === event.target);
  const next = controls[(here + (event.key === 'ArrowRight' ? 1 : -1) + controls.length) % controls.length];
  if (!next) return false;
  rove(toolbar, next);
  next.focus();
  return true;
}

/** Leave the review for the notebook cell that holds it. */
function leave(root: HTMLElement): void {
  (document.activeElement as HTMLElement | null)?.blur();
  root.closest<HTMLElement>('.jp-Notebook-cell, .jp-Notebook')?.focus({ preventScroll: true });
}

/** Handle one key press; return whether it was one of ours. */
export function handleKey(event: KeyboardEvent, root: HTMLElement, commands: Keyed): boolean {
  const direction = event.shiftKey ? -1 : 1;
  if (event.key === 'F8') commands.step(direction);
  else if (event.key === 'F7') commands.stepChange(direction);
  else if (event.key === 'Escape') {
    if (!commands.escape()) leave(root);
  } else if (event.key === '?' && !inText(event)) commands.help();
  else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !inText(event)) commands.undo({});
  else return toolbarKey(event);
  return true;
}
