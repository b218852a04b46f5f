/** One status item: how many problems, and where the first is. */

import { Widget } from '@lumino/widgets';
import { h, shortName } from '../../review/src/dom';
import { icon } from '../../review/src/icons';
import type { Placed } from './channel';
import type { wordsFor } from './words';

/** The item; without a checked project it takes no room. */
export class StatusItem extends Widget {
  private readonly control: HTMLButtonElement;

  constructor(
    private readonly words: ReturnType<typeof wordsFor>,
    open: () => void,
  ) {
    super();
    this.id = 'fastpt-lab-status';
    this.control = h('button', { type: 'button', class: 'fpt fpt-status', title: words.own.showProblems, onclick: open });
    this.node.append(this.control);
    this.display(null);
  }

  /** Show a snapshot. */
  display(snapshot: Placed | null): void {
    const { review, own } = this.words;
    this.setHidden(!snapshot?.checked);
    if (!snapshot?.checked) return;
    const first = snapshot.problems.find((problem) => problem.id === snapshot.first_error);
    const count = (name: 'error' | 'warn', number: number, label: string): HTMLElement | false =>
      number > 0 && h('span', {}, icon(name, '', label), String(number));
    const parts = snapshot.errors
      ? [count('error', snapshot.errors, review.errors(snapshot.errors)), count('warn', snapshot.warnings, review.warnings(snapshot.warnings))]
      : [h('span', {}, icon('ok'), own.compiles), count('warn', snapshot.warnings, review.warnings(snapshot.warnings))];
    const name = first?.path?.split('/').at(-1);
    this.control.replaceChildren(
      ...parts.filter((part) => part !== false),
      ...(first && name !== undefined ? [h('span', {}, shortName(own.first(`${name}:${first.line + 1}`), first.path ?? ''))] : []),
    );
  }
}
