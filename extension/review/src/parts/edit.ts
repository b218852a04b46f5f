/** Edit a suggested change before accepting it; the edited fix is an action of its own. */

import { button, h } from '../dom';
import { icon } from '../icons';
import type { Region } from '../region';
import type { Action } from '../wire';
import { chips } from './chips';
import type { Context } from './context';

export interface EditOptions {
  /** The action as it now is: the suggestion, or what `revise` made of the text. */
  readonly action: Action;
  readonly region: Region;
  readonly text: string;
  readonly running: number | null;
  readonly changed: (text: string) => void;
}

/** The editor: head with live chips, text area, and what a CUDA compiler would see. */
export function editor(context: Context, options: EditOptions): HTMLElement {
  const { words, commands, held } = context;
  const { action, region } = options;
  const area = h('textarea', {
    class: 'fpt-edit__text',
    rows: String(Math.min(region.text.split('\n').length + 1, 24)),
    spellcheck: 'false',
    'data-name': 'edit-text',
    oninput: () => { options.changed(area.value); },
  });
  area.value = options.text;
  const differs = action.cuda_effect === 'differs';
  return h(
    'section',
    { class: 'fpt-fix fpt-fix--edit', 'aria-label': words.editTitle, 'data-action': action.id },
    h('div', { class: 'fpt-fix__head' }, h('h4', {}, words.editTitle), ...chips(action, words, options.running)),
    h('label', { class: 'fpt-edit' }, h('span', { class: 'fpt-muted' }, words.editLines(region.from, region.to)), area),
    h(
      'p',
      { class: 'fpt-edit__message', role: 'status' },
      differs && icon('error', 'error'),
      differs && ` ${words.editDiffers} `,
      differs && h('button', { type: 'button', class: 'fpt-link', 'data-name': 'edit-reset', onclick: () => { options.changed(region.text); } }, words.editBack),
    ),
    h(
      'div',
      { class: 'fpt-fix__actions fpt-btns', role: 'toolbar', 'aria-label': words.editTitle },
      button(words.try, { icon: 'flask', name: 'try', disabled: held, onclick: () => { commands.tryOut([action.id]); } }),
      button(words.accept, { icon: 'ok', kind: 'look', name: 'accept', disabled: held ?? (differs ? words.editDiffers : undefined), onclick: () => { commands.accept([action.id], words.accept); } }),
      button(words.backToSuggestion, { name: 'back', onclick: commands.back }),
    ),
  );
}
