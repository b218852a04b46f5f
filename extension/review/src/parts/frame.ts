/** The head, the receipts and small states below it, and the foot. */

import { button, type Child, h, prose } from '../dom';
import { icon, type IconName } from '../icons';
import type { Entry, Failure } from '../wire';
import { type Context, nameOf } from './context';

function count(name: IconName, tone: string, text: string): HTMLElement {
  return h('span', {}, icon(name, tone), text);
}

/** Title, project, counts and the one button that is always there. */
export function head(context: Context): HTMLElement {
  const { words, snapshot, commands } = context;
  const counts = snapshot.checked
    ? [
        snapshot.errors ? count('error', 'error', words.errors(snapshot.errors)) : count('ok', 'ok', words.errors(0)),
        snapshot.warnings > 0 && count('warn', 'warn', words.warnings(snapshot.warnings)),
        snapshot.fixes > 0 && count('ok', 'ok', words.fixesApplied(snapshot.fixes)),
      ]
    : [];
  return h(
    'header',
    { class: 'fpt-head' },
    h('h3', { class: 'fpt-head__title' }, words.review),
    h('code', { class: 'fpt-muted' }, snapshot.project),
    h('span', { class: 'fpt-counts' }, ...counts),
    h('span', { class: 'fpt-spacer' }),
    snapshot.fixes > 0 && button(words.savePatch, { name: 'patch', disabled: context.held, onclick: () => { commands.savePatch([], 'patch'); } }),
    button(words.checkAgain, { icon: 'retry', name: 'check', disabled: context.held, onclick: commands.check }),
  );
}

interface ReceiptOptions {
  readonly tone: 'ok' | 'info' | 'warn' | 'error';
  readonly icon: IconName;
  readonly busy?: boolean;
  readonly bold: string;
  readonly text: string;
  readonly alert?: boolean;
}

/** One line of what happened or is happening, with its buttons. */
export function receipt(options: ReceiptOptions, ...buttons: Child[]): HTMLElement {
  const tone = options.tone === 'ok' ? '' : ` fpt-receipt--${options.tone}`;
  return h(
    'div',
    { class: `fpt-receipt${tone}`, role: options.alert ? 'alert' : 'group' },
    icon(options.icon, options.busy ? 'busy' : options.tone),
    h('span', { class: 'fpt-receipt__text' }, h('b', {}, options.bold), ...prose(options.text)),
    ...buttons,
  );
}

function filesText(context: Context, entry: Entry): string {
  const names = entry.files.map((file) => `\`${nameOf(context, file.path)}\``);
  return names.length > 3 ? context.words.files(names.length) : names.join(', ');
}

/** The receipt of the last write. */
export function written(context: Context): HTMLElement | null {
  const { words, commands } = context;
  const last = context.snapshot.receipt;
  if (!last) return null;
  const rules = [...new Set(last.entry.rules)].join(', ');
  const files = filesText(context, last.entry);
  const lines = last.entry.files.reduce((sum, file) => sum + file.added, 0);
  const [bold, text] = {
    accepted: () => words.accepted(rules, lines, files),
    undone: () => words.undone(rules, files),
    redone: () => words.redone(rules, files),
  }[last.kind]();
  const gone = last.kind === 'accepted' && last.gone !== null ? words.gone(last.gone) : '';
  const again =
    last.kind === 'undone'
      ? button(words.redo, { icon: 'retry', name: 'redo', disabled: context.held, onclick: commands.redo })
      : button(words.undo, {
          icon: 'undo',
          name: 'undo',
          disabled: context.held,
          onclick: () => {
            commands.undo({ id: last.entry.id });
          },
        });
  return receipt(
    { tone: last.kind === 'undone' ? 'info' : 'ok', icon: last.kind === 'undone' ? 'undo' : 'ok', bold, text: text + gone },
    again,
    button('', { icon: 'close', kind: 'quiet', name: 'dismiss', title: words.dismiss, onclick: commands.dismiss }),
  );
}

/** The line that says what was saved, and what it is for. */
export function savedLine(context: Context, name: string, dismiss: () => void): HTMLElement {
  const { words } = context;
  const [bold, text] = words.saved(name);
  return receipt({ tone: 'ok', icon: 'ok', bold, text }, button('', { icon: 'close', kind: 'quiet', name: 'dismiss-saved', title: words.dismiss, onclick: dismiss }));
}

/** How the last build ended; null if nothing was built last. */
export function built(context: Context): HTMLElement | null {
  const { words, snapshot } = context;
  if (!snapshot.build) return null;
  const { failed, remarks } = snapshot.build;
  const text = remarks.length ? ` ${remarks.join('; ')}.` : '';
  return receipt({ tone: failed ? 'warn' : 'ok', icon: failed ? 'warn' : 'ok', bold: failed ? words.buildEnded : words.buildDone, text });
}

/** The line of running work, with its clock; null while nothing runs or a trial has its chip. */
export function working(context: Context, elapsed: number): HTMLElement | null {
  const { words, activity, commands } = context;
  if (!activity || activity.activity === 'trial') return null;
  const bar = h('div', { class: 'fpt-progress', role: 'progressbar', 'aria-label': words.activity[activity.activity] ?? words.working });
  const line = receipt(
    {
      tone: 'info',
      icon: 'busy',
      busy: true,
      bold: words.activity[activity.activity] ?? words.working,
      text: words.progress(activity.done, activity.total, elapsed) + (activity.current ? ` \`${activity.current}\`` : ''),
    },
    button(words.cancel, { icon: 'stop', name: 'cancel', onclick: commands.cancel }),
  );
  if (activity.total > 0) {
    bar.setAttribute('aria-valuemin', '0');
    bar.setAttribute('aria-valuemax', String(activity.total));
    bar.setAttribute('aria-valuenow', String(activity.done));
    bar.append(h('div', { class: 'fpt-progress__fill', style: `width:${(100 * activity.done) / activity.total}%` }));
  }
  return h('div', {}, line, activity.total > 0 && bar);
}

/** A request that was refused or failed, in the kernel's words. */
export function failed(context: Context, failure: Failure, dismiss: () => void): HTMLElement {
  const { words } = context;
  const refused = failure.exit_code === 3;
  const next = failure.next_step ? ` ${failure.next_step}.` : '';
  return receipt(
    {
      tone: failure.exit_code === 130 ? 'warn' : 'error',
      icon: refused ? 'lock' : 'error',
      bold: refused ? words.nothingWritten : words.failed,
      text: ` ${failure.message}.${next}`.replace(/\.\.$/, '.'),
      alert: true,
    },
    button('', { icon: 'close', kind: 'quiet', name: 'dismiss-failure', title: words.dismiss, onclick: dismiss }),
  );
}

/** What was checked and how; the main keys. */
export function foot(context: Context): HTMLElement {
  const { words, snapshot, commands } = context;
  const text = snapshot.checked
    ? words.checkedFoot(snapshot.units.total, snapshot.seconds, snapshot.compiler, snapshot.arch)
    : words.notChecked;
  const key = (name: string, meaning: string): Child => h('span', {}, h('kbd', {}, name), ` ${meaning}`);
  return h(
    'footer',
    { class: 'fpt-foot' },
    h('span', {}, text),
    h('span', { class: 'fpt-spacer' }),
    h(
      'span',
      { class: 'fpt-wide fpt-foot__keys' },
      key('F8', words.keys.problem),
      key('F7', words.keys.change),
      key('Ctrl Z', words.keys.undo),
    ),
    h('button', { type: 'button', class: 'fpt-link', 'data-name': 'help', onclick: commands.help }, h('kbd', {}, '?'), ` ${words.keys.help}`),
  );
}

/** The sheet of keys. */
export function help(context: Context): HTMLElement {
  const { words, commands } = context;
  return h(
    'section',
    { class: 'fpt-help', 'aria-label': words.helpTitle },
    h('h4', {}, words.helpTitle),
    h('dl', {}, ...words.help.flatMap(([key, meaning]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, meaning)])),
    button(words.close, { name: 'help-close', onclick: commands.help }),
  );
}
