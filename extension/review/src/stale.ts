/** A fix whose file changed meanwhile: find it again in what is on disk now. */

import type { Client } from './client';
import type { Conflict } from './parts/conflict';
import type { Store } from './store';
import type { Action, Problem, Texts } from './wire';

/** What was proposed, kept to be compared with the disk. */
export interface Proposal {
  readonly path: string;
  readonly rule: string;
  readonly problem: Problem;
  readonly texts: Texts;
}

/** What `choose` takes of a problem's actions, with the texts it was made for. */
export function proposalOf(store: Store, id: string | null, choose: (actions: readonly Action[]) => Action | undefined): Proposal | null {
  const problem = store.snapshot.problems.find((each) => each.id === id);
  if (!problem) return null;
  const action = choose(store.detail(problem.id)?.actions ?? []);
  const path = action?.edit?.documents[0]?.path;
  const shown = path === undefined ? undefined : store.document(path);
  return action && path !== undefined && shown ? { path, rule: action.rule, problem, texts: shown.texts } : null;
}

/** The same message nearest to where it was; its fix, if the same rule still has one. */
export async function madeAnew(
  client: Client,
  problems: readonly Problem[],
  before: Proposal,
): Promise<{ problem: Problem | undefined; state: Conflict }> {
  const { texts } = await client.ask('document', { path: before.path });
  const [problem] = problems
    .filter((each) => each.path === before.path && each.message === before.problem.message)
    .sort((one, other) => Math.abs(one.line - before.problem.line) - Math.abs(other.line - before.problem.line));
  const detail = problem && (await client.ask('detail', { id: problem.id }));
  const action = detail?.actions.find((each) => each.rule === before.rule) ?? null;
  return { problem, state: { path: before.path, proposed: before.texts, disk: texts, action } };
}
