/** The suggested change on lines of the original, why to believe it, and what to do with it. */

import { button, h, prose } from '../dom';
import { icon } from '../icons';
import { preview, withEdits } from '../preview';
import type { Action, Detail, Texts } from '../wire';
import { chips } from './chips';
import { hunk } from './code';
import type { Context } from './context';

/** Lines of context round each changed place. */
const CONTEXT = 1;

export interface FixOptions {
  readonly detail: Detail;
  /** Index of the action shown, among the problem's. */
  readonly way: number;
  /** Texts of the originals that the action edits, as far as they have arrived. */
  readonly texts: ReadonlyMap<string, Texts>;
  /** Seconds for which its trial has been running, null if none is. */
  readonly running: number | null;
}

function change(action: Action, options: FixOptions, context: Context): HTMLElement[] {
  return (action.edit?.documents ?? []).flatMap((document) => {
    const texts = options.texts.get(document.path);
    if (!texts) return [];
    return [hunk(document.path, preview(texts.text, withEdits(texts.text, document.edits), CONTEXT), context.words)];
  });
}

function flags(action: Action, context: Context): HTMLElement | null {
  if (!action.flags) return null;
  const { words } = context;
  const line = (label: string, all: readonly string[]): HTMLElement | null =>
    all.length ? h('div', {}, h('span', { class: 'fpt-muted' }, `${label} `), h('code', {}, all.join(' '))) : null;
  return h('div', { class: 'fpt-fix__flags' }, line(words.flagsAdd, action.flags.add), line(words.flagsRemove, action.flags.remove));
}

function evidence(action: Action, context: Context): HTMLElement | null {
  if (!action.evidence.length) return null;
  return h(
    'details',
    { class: 'fpt-evidence' },
    h('summary', { 'data-name': 'evidence' }, icon('chevron', 'chevron'), context.words.evidence(action.evidence.length)),
    h('pre', {}, action.evidence.join('\n')),
  );
}

function allButton(action: Action, places: number, context: Context): HTMLElement | false {
  if (places < 2) return false;
  const { words, commands } = context;
  const text = action.applicability === 'safe' ? words.acceptAll(places) : words.reviewAll(places);
  return button(text, { name: 'all', disabled: context.held, onclick: () => { commands.places(action.rule); } });
}

function wayButton(options: FixOptions, context: Context): HTMLElement | false {
  const ways = options.detail.actions.length;
  if (ways < 2) return false;
  const { words, commands } = context;
  const text = options.way ? words.wayOf(options.way + 1, ways) : words.otherWays(ways - 1);
  const element = button(text, { kind: 'quiet', name: 'way', onclick: () => { commands.way((options.way + 1) % ways); } });
  element.append(icon('chevdown'));
  return element;
}

function actions(action: Action, options: FixOptions, context: Context): HTMLElement {
  const { words, commands, held } = context;
  const usable = action.applicability !== 'display-only' && (action.kind === 'edit' || action.kind === 'flag');
  const untried = action.kind === 'edit' && options.running === null && action.trial.status === 'not-run';
  return h(
    'div',
    { class: 'fpt-fix__actions fpt-btns', role: 'toolbar', 'aria-label': words.suggestedChange },
    usable &&
      button(words.accept, {
        icon: 'ok',
        kind: action.applicability === 'safe' ? 'primary' : 'look',
        name: 'accept',
        disabled: held,
        onclick: () => { commands.accept([action.id], words.accept); },
      }),
    untried && button(words.try, { icon: 'flask', name: 'try', disabled: held, onclick: () => { commands.tryOut([action.id]); } }),
    action.kind === 'edit' && usable && button(words.edit, { name: 'edit', onclick: () => { commands.edit(action); } }),
    button(words.skip, { name: 'skip', onclick: commands.skip }),
    action.kind === 'edit' && allButton(action, options.detail.places[action.rule] ?? 0, context),
    h('span', { class: 'fpt-spacer' }),
    wayButton(options, context),
  );
}

/** The fix of the problem shown, or a line that says there is none. */
export function fix(context: Context, options: FixOptions): HTMLElement {
  const { words } = context;
  const action = options.detail.actions[options.way];
  if (!action) {
    const follower = options.detail.diagnostic.caused_by !== null;
    return h('div', { class: 'fpt-fix fpt-muted' }, follower ? words.followsText : words.noFix);
  }
  const title = action.kind === 'edit' ? words.suggestedChange : words.advice;
  return h(
    'div',
    { class: 'fpt-fix', role: 'group', 'aria-label': title, 'data-action': action.id },
    h(
      'div',
      { class: 'fpt-fix__head' },
      h('h4', { tabindex: '-1', 'data-name': 'fix-title' }, title),
      h('span', { class: 'fpt-muted' }, `${words.rule} `, h('code', {}, action.rule)),
      ...chips(action, words, options.running),
    ),
    h('p', { class: 'fpt-fix__why' }, ...prose(action.advice ?? action.title)),
    ...change(action, options, context),
    flags(action, context),
    actions(action, options, context),
    evidence(action, context),
  );
}
