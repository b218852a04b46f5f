/** The file changed under the fix: three versions side by side, and the user's own stays. */

import { button, h } from '../dom';
import { type Preview, preview, withEdits } from '../preview';
import type { Action, Texts } from '../wire';
import { chips } from './chips';
import { rows } from './code';
import { type Context, nameOf } from './context';
import { receipt } from './frame';

export interface Conflict {
  readonly path: string;
  readonly proposed: Texts;
  readonly disk: Texts;
  /** The fix made for the disk's text, null if none answers any more. */
  readonly action: Action | null;
}

const CONTEXT = 2;

function column(title: string, aside: string, groups: Preview['groups']): HTMLElement {
  return h(
    'div',
    {},
    h('div', { class: 'fpt-merge__head' }, h('b', {}, title), h('span', { class: 'fpt-muted' }, aside)),
    h('div', { class: 'fpt-code', role: 'group', 'aria-label': title }, ...rows(groups)),
  );
}

function start(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 4);
}

/** The three-way view. Its first words say that nothing was written. */
export function conflict(context: Context, state: Conflict): HTMLElement {
  const { words, commands, held } = context;
  const change = preview(state.proposed.text, state.disk.text, CONTEXT);
  const back = preview(state.disk.text, state.proposed.text, CONTEXT);
  const edit = state.action?.edit?.documents.find((document) => document.path === state.path);
  const anew = edit && preview(state.disk.text, withEdits(state.disk.text, edit.edits), CONTEXT);
  const { action } = state;
  return h(
    'section',
    { class: 'fpt-conflict', 'aria-label': words.nothingWritten },
    receipt({
      tone: 'warn',
      icon: 'warn',
      bold: words.nothingWritten,
      text: words.changedOnDisk(Math.max(change.added, change.removed)),
      alert: true,
    }),
    h(
      'div',
      { class: 'fpt-merge' },
      column(words.whenProposed, words.digest(start(state.proposed.digest)), back.groups.map((group) => group.filter((row) => row.sign !== '-').map((row) => ({ ...row, sign: ' ' as const })))),
      column(words.onDisk, words.digest(start(state.disk.digest)), change.groups),
      column(words.madeAnew, anew ? words.notWritten : words.noNewFix, anew ? anew.groups : []),
    ),
    h(
      'div',
      { class: 'fpt-body fpt-btns', role: 'toolbar', 'aria-label': nameOf(context, state.path) },
      action &&
        button(words.acceptNew, {
          icon: 'ok',
          kind: action.applicability === 'safe' ? 'primary' : 'look',
          name: 'accept',
          disabled: held,
          onclick: () => { commands.accept([action.id], words.acceptNew); },
        }),
      button(words.back, { name: 'back', onclick: commands.back }),
      h('span', { class: 'fpt-spacer' }),
      ...(action ? chips(action, words, null) : []),
    ),
    h('p', { class: 'fpt-places__foot fpt-muted' }, words.editKept),
  );
}
