/** The problem in the eye: what is wrong, where, and how the compiler came to it. */

import { button, h, link } from '../dom';
import { icon } from '../icons';
import type { Diagnostic, Location, Related } from '../wire';
import { type Context, nameOf, placeOf, placeText, shownIn } from './context';

const TONES = { 1: ['error', 'error'], 2: ['warn', 'warn'], 3: ['info', 'info'], 4: ['info', 'info'] } as const;

function kicker(context: Context, found: Diagnostic): HTMLElement {
  const { words, snapshot, commands } = context;
  const title = h('b', { id: 'fpt-problem' });
  if (found.id === snapshot.first_error) {
    title.append(words.firstError);
    return h('div', { class: 'fpt-focus__kicker' }, title, ` \u00a0${words.fixFirst(snapshot.errors - 1)}`);
  }
  title.append(words.problemOf[found.severity] ?? '');
  const index = snapshot.problems.findIndex((problem) => problem.id === found.id);
  const first = snapshot.first_error;
  return h(
    'div',
    { class: 'fpt-focus__kicker' },
    title,
    ` \u00a0${words.nth(index + 1, snapshot.problems_total)} `,
    first !== null && link(words.toFirst, () => { commands.open(first); }),
  );
}

/** A place of the project as a link; any other, such as a system header's, as text. */
function placeLink(context: Context, where: Location, side: 'a' | 'b', text: string): HTMLElement {
  const code = h('code', { title: placeText(where) }, text);
  if (shownIn(context.snapshot, where, side) === null) return code;
  return link(code, () => { context.commands.reveal(where, side); });
}

function place(context: Context, found: Diagnostic): HTMLElement {
  const { words } = context;
  const shown = placeOf(found);
  const { generated } = found;
  return h(
    'div',
    { class: 'fpt-focus__place' },
    shown && placeLink(context, shown, found.location ? 'a' : 'b', placeText(shown)),
    found.location && generated && h('span', { class: 'fpt-muted' }, `${words.compiledAs} `, h('code', {}, placeText(generated))),
  );
}

function note(context: Context, related: Related): HTMLElement {
  const where = related.location ?? related.generated;
  const side = related.location ? 'a' : 'b';
  return h(
    'li',
    {},
    where ? placeLink(context, where, side, placeText(where, nameOf(context, where.path))) : h('span', {}),
    h('code', {}, related.message),
  );
}

function notes(context: Context, found: Diagnostic): HTMLElement | null {
  const { related } = found;
  if (!related.length) return null;
  const only = related.length === 1 ? related[0] : undefined;
  return h(
    'details',
    { class: 'fpt-focus__notes' },
    h(
      'summary',
      { 'data-name': 'notes' },
      icon('chevron', 'chevron'),
      only ? only.message : context.words.notes(related.length),
    ),
    h('ol', {}, ...related.map((each) => note(context, each))),
  );
}

/** State one diagnostic. The root of the review carries one of these at most. */
export function banner(context: Context, found: Diagnostic): HTMLElement {
  const { words, commands } = context;
  const [name, tone] = TONES[found.severity];
  const step = (direction: 1 | -1, drawing: 'up' | 'down', title: string): HTMLElement =>
    button('', { icon: drawing, kind: 'quiet', name: `step-${drawing}`, title, onclick: () => { commands.step(direction); } });
  return h(
    'div',
    { class: `fpt-focus__banner fpt-focus__banner--${tone}`, role: 'group', 'aria-labelledby': 'fpt-problem', 'data-problem': found.id },
    icon(name, tone),
    kicker(context, found),
    h('div', { class: 'fpt-focus__message' }, found.message),
    place(context, found),
    notes(context, found),
    h('span', { class: 'fpt-btns' }, step(-1, 'up', words.previousProblem), step(1, 'down', words.nextProblem)),
  );
}
