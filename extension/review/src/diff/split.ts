/** Side by side: the original on the left, what the compiler read on the right. */

import { Change, MergeView } from '@codemirror/merge';
import type { Extension } from '@codemirror/state';
import { lineNumbers } from '@codemirror/view';
import type { Run } from '../folds';
import { changesOf } from '../textdiff';
import { cpp } from './colours';
import { type Fold, folding, readOnly, reveal, setFolds } from './editor';
import { changedWordMarks, marked } from './marked';
import type { SideMarks } from './marks';
import { changedWords, type Pair, partners } from './pair';

/** What a diff view offers to the review. */
export interface DiffView {
  readonly dom: HTMLElement;
  /** Bring a zero-based line of one side into view. */
  reveal(side: 'a' | 'b', line: number): void;
  /** Bring the next or previous change into view; false if there is none. */
  change(direction: 1 | -1): boolean;
  /** Put the keyboard focus into the text. */
  focus(): void;
  destroy(): void;
}

export interface DiffOptions {
  readonly texts: Pair;
  readonly marks: { readonly a: SideMarks; readonly b: SideMarks };
  readonly folds: readonly Run[];
  readonly labels: { readonly a: string; readonly b: string };
  readonly foldText: (lines: number) => string;
  readonly box: HTMLElement;
}

function sideFolds(folds: ReadonlyMap<number, Run>, side: 'a' | 'b'): Fold[] {
  return [...folds].map(([key, run]) => ({ key, from: run[side] + 1, to: run[side] + run.count }));
}

/** Build the side-by-side view. */
export function splitView(options: DiffOptions): DiffView {
  const open = new Map(options.folds.map((run, key) => [key, run]));
  const fold = (): void => {
    view.a.dispatch({ effects: setFolds.of(sideFolds(open, 'a')) });
    view.b.dispatch({ effects: setFolds.of(sideFolds(open, 'b')) });
  };
  const unfold = (key: number): void => {
    open.delete(key);
    fold();
    view.a.focus();
  };
  const side = (name: 'a' | 'b'): { doc: string; extensions: Extension } => {
    const changed = partners(options.texts, name);
    return {
      doc: options.texts[name].join('\n'),
      extensions: [
        lineNumbers(),
        cpp(),
        marked({
          side: name === 'a' ? 'cuda' : 'hip',
          lines: options.texts[name],
          changed: changed.keys(),
          marks: options.marks[name],
        }),
        changedWordMarks((line) => changedWords(options.texts, name, line, changed.get(line) ?? -1)),
        readOnly(options.labels[name]),
        folding(name === 'a' ? options.foldText : () => '', unfold),
      ],
    };
  };
  const view = new MergeView({
    a: side('a'),
    b: side('b'),
    gutter: false,
    // Added lines are not marked word by word; CodeMirror would.
    highlightChanges: false,
    diffConfig: {
      override: () =>
        changesOf(options.texts.a, options.texts.b, options.texts.hunks).map(
          (change) => new Change(change.fromA, change.toA, change.fromB, change.toB),
        ),
    },
  });
  return splitControls(view, options, fold);
}

function splitControls(view: MergeView, options: DiffOptions, fold: () => void): DiffView {
  let change = -1;
  const show = (name: 'a' | 'b', line: number): void => {
    const editor = view[name];
    reveal(editor, options.box, editor.state.doc.line(Math.min(line + 1, editor.state.doc.lines)).from);
  };
  fold();
  return {
    dom: view.dom,
    reveal: show,
    change(direction) {
      const next = change + direction;
      const hunk = options.texts.hunks[next];
      if (!hunk) return false;
      change = next;
      show('b', hunk.b0);
      view.b.contentDOM.focus({ preventScroll: true });
      return true;
    },
    focus() {
      view.a.contentDOM.focus({ preventScroll: true });
    },
    destroy() {
      view.destroy();
    },
  };
}
