/** The other problems, quietly, in the order to read them. */

import { h, link, shortName } from '../dom';
import { icon } from '../icons';
import type { Problem } from '../wire';
import { type Context, nameOf } from './context';

/** Rows drawn at first; more on demand. */
const FIRST_ROWS = 50;
const ICONS = { 1: ['error', 'error'], 2: ['warn', 'warn'], 3: ['info', 'info'], 4: ['info', 'info'] } as const;

interface Row {
  readonly problem: Problem;
  readonly times: number;
}

/** Problems with the same words in one file are one row. */
export function grouped(problems: readonly Problem[]): Row[] {
  const rows = new Map<string, { problem: Problem; times: number }>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.path, problem.severity, problem.message, problem.caused_by !== null]);
    const row = rows.get(key);
    if (row) row.times++;
    else rows.set(key, { problem, times: 1 });
  }
  return [...rows.values()];
}

function state(context: Context, { problem, times }: Row): string {
  const { words } = context;
  const text = problem.caused_by !== null ? words.follows : (words.fixReady[problem.fix ?? ''] ?? '');
  return text + (times > 1 ? words.times(times) : '');
}

function row(context: Context, each: Row): HTMLElement {
  const { problem } = each;
  const [name, tone] = ICONS[problem.severity];
  const place = problem.path ? `${nameOf(context, problem.path)}:${problem.line + 1}:${problem.character + 1}` : '–';
  const open = link(shortName(place, problem.path ? `${problem.path}:${problem.line + 1}:${problem.character + 1}` : ''), () => {
    context.commands.open(problem.id);
  });
  open.dataset['name'] = `problem-${problem.id}`;
  open.classList.add('fpt-mono');
  return h(
    'div',
    { class: 'fpt-queue__row', role: 'listitem' },
    icon(name, tone),
    open,
    h('span', { class: 'fpt-queue__text fpt-cut', title: problem.message }, problem.message),
    h('span', { class: 'fpt-muted' }, state(context, each)),
  );
}

/** The list of problems other than `current`; `open` keeps what the reader chose. */
export function queue(context: Context, current: string | null, isOpen: boolean, limit: number, toggled: (open: boolean) => void): HTMLElement | null {
  const { words, snapshot, commands } = context;
  const others = snapshot.problems.filter((problem) => problem.id !== current);
  if (!others.length) return null;
  const rows = grouped(others);
  const errors = others.filter((problem) => problem.severity === 1).length + snapshot.problems_total - snapshot.problems.length;
  const first = current !== null && current === snapshot.first_error;
  const rest = snapshot.problems_total - (current === null ? 0 : 1);
  const only = rest === snapshot.warnings ? words.warnings(rest) : words.otherProblems(rest);
  const title = first && errors ? words.laterErrors(snapshot.errors - 1, snapshot.warnings) : only;
  const shown = rows.slice(0, FIRST_ROWS * limit);
  const left = rows.length - shown.length + snapshot.problems_total - snapshot.problems.length;
  const element = h(
    'details',
    { class: 'fpt-queue', open: isOpen, ontoggle: () => { toggled(element.open); } },
    h(
      'summary',
      { class: 'fpt-queue__head', 'data-name': 'queue' },
      icon('chevron', 'chevron'),
      h('b', {}, title),
      first && h('span', { class: 'fpt-muted' }, words.laterHint),
    ),
    h('div', { role: 'list' }, ...shown.map((each) => row(context, each))),
    left > 0 && h('div', { class: 'fpt-queue__row' }, h('span', {}), link(words.more(left), commands.moreProblems)),
  );
  return element;
}
