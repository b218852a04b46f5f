/** The Problems panel: the first error pinned, the others as a tree by file. */

import { Widget } from '@lumino/widgets';
import { button, h, link, shortName } from '../../review/src/dom';
import { icon } from '../../review/src/icons';
import { shortestNames } from '../../review/src/names';
import { grouped } from '../../review/src/parts/queue';
import type { Problem } from '../../review/src/wire';
import type { Placed } from './channel';
import type { wordsFor } from './words';

export interface PanelActions {
  readonly check: () => void;
  readonly review: (problem: Problem) => void;
  readonly open: (problem: Problem) => void;
  readonly more: () => void;
}

const ICONS = { 1: ['error', 'error'], 2: ['warn', 'warn'], 3: ['info', 'info'], 4: ['info', 'info'] } as const;
/** Rows drawn at most; the filter finds the others. */
const MOST = 500;

/** The side panel. */
export class ProblemsPanel extends Widget {
  private readonly root: HTMLElement;
  private readonly pinned = h('div');
  private readonly list: HTMLElement;
  private readonly filter: HTMLInputElement;
  private readonly closed = new Set<string>();
  private snapshot: Placed | null = null;
  private problems: readonly Problem[] = [];

  constructor(
    private readonly words: ReturnType<typeof wordsFor>,
    private readonly actions: PanelActions,
  ) {
    super();
    this.id = 'fastpt-lab-problems';
    this.addClass('fpt-panel');
    this.filter = h('input', {
      class: 'fpt-problems__filter',
      type: 'search',
      placeholder: words.own.filter,
      'aria-label': words.own.filter,
      oninput: () => { this.draw(); },
    });
    this.list = h('div', {
      class: 'fpt-problems__list',
      role: 'tree',
      'aria-label': words.own.problems,
      onkeydown: (event) => { this.key(event as KeyboardEvent); },
    });
    const again = button('', { icon: 'retry', kind: 'quiet', name: 'problems-check', title: words.review.checkAgain, onclick: actions.check });
    this.root = h(
      'section',
      { class: 'fpt fpt-problems', 'aria-label': words.own.problems, 'data-lm-suppress-shortcuts': 'true' },
      h('div', { class: 'fpt-problems__bar' }, this.filter, again),
      this.pinned,
      this.list,
    );
    this.node.append(this.root);
    this.draw();
  }

  /** Show a snapshot, with the problems loaded so far. */
  display(snapshot: Placed | null, problems: readonly Problem[]): void {
    this.snapshot = snapshot;
    this.problems = problems;
    this.draw();
  }

  private draw(): void {
    const { snapshot, words } = this;
    const first = this.problems.find((problem) => problem.id === snapshot?.first_error);
    this.pinned.replaceChildren(...(first ? [this.first(first)] : []));
    if (!snapshot) {
      this.list.replaceChildren(h('p', { class: 'fpt-problems__empty fpt-muted' }, words.own.none));
      return;
    }
    const text = this.filter.value.trim().toLowerCase();
    const wanted = text
      ? this.problems.filter((problem) => `${problem.path ?? ''}\n${problem.message}\n${problem.rule ?? ''}`.toLowerCase().includes(text))
      : this.problems;
    this.list.replaceChildren(...this.tree(snapshot, wanted));
    const [item] = this.items();
    if (item) item.tabIndex = 0;
  }

  private first(problem: Problem): HTMLElement {
    const { words, actions } = this;
    const name = problem.path?.split('/').at(-1) ?? '–';
    return h(
      'div',
      { class: 'fpt-problems__first', role: 'group', 'aria-label': words.review.firstError },
      h('div', {}, h('b', {}, words.review.firstError), ' ', link(shortName(`${name}:${problem.line + 1}`, problem.path ?? ''), () => { actions.open(problem); })),
      h('div', { class: 'fpt-mono fpt-problems__message' }, problem.message),
      h(
        'div',
        { class: 'fpt-btns' },
        button(words.own.reviewFix, { kind: 'primary', name: 'review-fix', onclick: () => { actions.review(problem); } }),
        button(words.own.openFile, { name: 'open-file', onclick: () => { actions.open(problem); } }),
      ),
    );
  }

  private tree(snapshot: Placed, wanted: readonly Problem[]): HTMLElement[] {
    const { words } = this;
    const rows = grouped(wanted);
    const paths = [...new Set(rows.map(({ problem }) => problem.path ?? '–'))];
    const names = shortestNames(paths);
    const nodes: HTMLElement[] = [];
    for (const path of paths) {
      const own = rows.filter(({ problem }) => (problem.path ?? '–') === path);
      const count = own.reduce((sum, { times }) => sum + times, 0);
      const open = !this.closed.has(path);
      nodes.push(this.file(path, names.get(path) ?? path, count, open));
      if (open) for (const { problem, times } of own) nodes.push(this.row(problem, times));
      if (nodes.length > MOST) break;
    }
    if (!nodes.length) nodes.push(h('p', { class: 'fpt-problems__empty fpt-muted' }, this.problems.length ? words.own.nothing : words.review.errors(0)));
    const left = snapshot.problems_total - this.problems.length;
    if (left > 0) nodes.push(h('div', { class: 'fpt-problems__row' }, h('span', {}), link(words.review.more(left), this.actions.more)));
    return nodes;
  }

  private file(path: string, name: string, count: number, open: boolean): HTMLElement {
    return h(
      'div',
      {
        class: 'fpt-problems__file',
        role: 'treeitem',
        'aria-level': '1',
        'aria-expanded': String(open),
        tabindex: '-1',
        'data-path': path,
        onclick: () => { this.toggle(path); },
      },
      icon('chevdown', 'none'),
      shortName(name, path),
      h('span', { class: 'fpt-muted fpt-num' }, String(count)),
    );
  }

  private row(problem: Problem, times: number): HTMLElement {
    const [name, tone] = ICONS[problem.severity];
    return h(
      'div',
      { class: 'fpt-problems__row', role: 'treeitem', 'aria-level': '2', tabindex: '-1', 'data-problem': problem.id },
      icon(name, tone, this.words.review.severity[problem.severity] ?? ''),
      h(
        'span',
        { class: 'fpt-problems__text', title: problem.message },
        problem.message,
      ),
      link(h('code', {}, `${problem.line + 1}:${problem.character + 1}`), () => { this.actions.open(problem); }, problem.path ?? ''),
      times > 1 && h('span', { class: 'fpt-muted fpt-problems__same' }, this.words.own.same(times - 1)),
    );
  }

  private toggle(path: string): void {
    if (!this.closed.delete(path)) this.closed.add(path);
    this.draw();
    this.focusItem(this.items().find((item) => item.dataset['path'] === path));
  }

  private items(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>('[role=treeitem]')];
  }

  private focusItem(item: HTMLElement | undefined): void {
    if (!item) return;
    for (const other of this.items()) other.tabIndex = other === item ? 0 : -1;
    item.focus();
  }

  private key(event: KeyboardEvent): void {
    const item = (event.target as Element).closest<HTMLElement>('[role=treeitem]');
    if (!item) return;
    const items = this.items();
    const here = items.indexOf(item);
    const path = item.dataset['path'];
    const parent = items.slice(0, here).findLast((other) => other.dataset['path'] !== undefined);
    if (event.key === 'ArrowDown') this.focusItem(items[here + 1]);
    else if (event.key === 'ArrowUp') this.focusItem(items[here - 1]);
    else if (event.key === 'Home') this.focusItem(items[0]);
    else if (event.key === 'End') this.focusItem(items.at(-1));
    else if (event.key === 'ArrowLeft' && path === undefined) this.focusItem(parent);
    else if (event.key === 'ArrowLeft' && path !== undefined && !this.closed.has(path)) this.toggle(path);
    else if (event.key === 'ArrowRight' && path !== undefined && this.closed.has(path)) this.toggle(path);
    else if (event.key === 'Enter' && event.target === item) this.press(item, path);
    else return;
    event.preventDefault();
  }

  private press(item: HTMLElement, path: string | undefined): void {
    const problem = this.problems.find((each) => each.id === item.dataset['problem']);
    if (problem) this.actions.open(problem);
    else if (path !== undefined) this.toggle(path);
  }
}
