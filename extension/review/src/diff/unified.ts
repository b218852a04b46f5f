/** One column for narrow widgets: a line that differs stands twice, C the original, H the other. */

import { EditorState, type Extension, type Range, RangeSet } from '@codemirror/state';
import { Decoration, EditorView, type GutterMarker, gutter, gutterLineClass } from '@codemirror/view';
import { cpp } from './colours';
import { type Fold, folding, IconMarker, readOnly, reveal, setFolds, TextMarker } from './editor';
import { changedWordMarks, LineClass, markDecorations, starts } from './marked';
import type { LineMark } from './marks';
import { changedWords, type Line, partners, type Ranges, unified } from './pair';
import type { DiffOptions, DiffView } from './split';

interface Drawn {
  readonly lines: readonly Line[];
  readonly offsets: readonly number[];
  /** The row of each line of a side. */
  readonly rows: { readonly a: ReadonlyMap<number, number>; readonly b: ReadonlyMap<number, number> };
}

function draw(options: DiffOptions): Drawn {
  const lines = unified(options.texts);
  const rows = { a: new Map<number, number>(), b: new Map<number, number>() };
  lines.forEach((line, row) => {
    if (line.a >= 0) rows.a.set(line.a, row);
    if (line.b >= 0) rows.b.set(line.b, row);
  });
  return { lines, offsets: starts(lines.map((line) => line.text)), rows };
}

/** A message line is marked once where both sides are one row. */
function markOf(line: Line, options: DiffOptions): LineMark | undefined {
  return options.marks.a.get(line.a) ?? options.marks.b.get(line.b);
}

function sideOf(line: Line): 'cuda' | 'hip' | null {
  if (line.a >= 0 && line.b >= 0) return null;
  return line.a >= 0 ? 'cuda' : 'hip';
}

function decorations(drawn: Drawn, options: DiffOptions): Extension {
  const ranges: Range<Decoration>[] = [];
  const classes: Range<GutterMarker>[] = [];
  const tints = {
    cuda: Decoration.line({ class: 'fpt-side--cuda' }),
    hip: Decoration.line({ class: 'fpt-side--hip' }),
  };
  drawn.lines.forEach((line, row) => {
    const from = drawn.offsets[row] ?? 0;
    const side = sideOf(line);
    const mark = markOf(line, options);
    if (side) {
      ranges.push(tints[side].range(from));
      classes.push(new LineClass(`fpt-num--${side}`).range(from));
    }
    if (mark) {
      ranges.push(...markDecorations(mark, from, line.text.length));
      classes.push(new LineClass(`fpt-num--${mark.tone}`).range(from));
    }
  });
  return [
    EditorView.decorations.of(Decoration.set(ranges, true)),
    gutterLineClass.of(RangeSet.of(classes, true)),
  ];
}

function wordsOf(drawn: Drawn, options: DiffOptions): (row: number) => Ranges {
  const changed = { a: partners(options.texts, 'a'), b: partners(options.texts, 'b') };
  return (row) => {
    const line = drawn.lines[row];
    if (!line || (line.a >= 0 && line.b >= 0)) return [];
    const side = line.a >= 0 ? 'a' : 'b';
    return changedWords(options.texts, side, line[side], changed[side].get(line[side]) ?? -1);
  };
}

function gutters(drawn: Drawn, options: DiffOptions): Extension {
  const column = (of: (line: Line) => GutterMarker | null, name: string, spacer: string): Extension =>
    gutter({
      class: name,
      lineMarker: (view, block) => {
        const line = drawn.lines[view.state.doc.lineAt(block.from).number - 1];
        return line ? of(line) : null;
      },
      initialSpacer: () => new TextMarker(spacer),
    });
  const widest = String(Math.max(options.texts.a.length, options.texts.b.length));
  return [
    column((line) => (line.a >= 0 ? new TextMarker(String(line.a + 1)) : null), 'cm-lineNumbers', widest),
    column((line) => (line.b >= 0 ? new TextMarker(String(line.b + 1)) : null), 'cm-lineNumbers', widest),
    column((line) => sign(line, options), 'fpt-signs', ''),
  ];
}

function sign(line: Line, options: DiffOptions): GutterMarker | null {
  const mark = markOf(line, options);
  if (mark) return new IconMarker(mark);
  const side = sideOf(line);
  return side ? new TextMarker(side === 'cuda' ? 'C' : 'H') : null;
}

function rowFolds(drawn: Drawn, options: DiffOptions, open: ReadonlySet<number>): Fold[] {
  return [...open].flatMap((key) => {
    const run = options.folds[key];
    const row = run && drawn.rows.a.get(run.a);
    return run && row !== undefined ? [{ key, from: row + 1, to: row + run.count }] : [];
  });
}

/** Build the unified view. */
export function unifiedView(options: DiffOptions): DiffView {
  const drawn = draw(options);
  const open = new Set(options.folds.keys());
  const fold = (): void => {
    view.dispatch({ effects: setFolds.of(rowFolds(drawn, options, open)) });
  };
  const unfold = (key: number): void => {
    open.delete(key);
    fold();
    view.focus();
  };
  const view = new EditorView({
    state: EditorState.create({
      doc: drawn.lines.map((line) => line.text).join('\n'),
      extensions: [
        gutters(drawn, options),
        cpp(),
        decorations(drawn, options),
        changedWordMarks(wordsOf(drawn, options)),
        readOnly(`${options.labels.a}, ${options.labels.b}`),
        folding(options.foldText, unfold),
      ],
    }),
  });
  fold();
  return unifiedControls(view, drawn, options);
}

function unifiedControls(view: EditorView, drawn: Drawn, options: DiffOptions): DiffView {
  let change = -1;
  const show = (row: number): void => {
    reveal(view, options.box, drawn.offsets[row] ?? 0);
  };
  return {
    dom: view.dom,
    reveal(side, line) {
      show(drawn.rows[side].get(line) ?? 0);
    },
    change(direction) {
      const hunk = options.texts.hunks[change + direction];
      if (!hunk) return false;
      change += direction;
      show(hunk.a0 < hunk.a1 ? (drawn.rows.a.get(hunk.a0) ?? 0) : (drawn.rows.b.get(hunk.b0) ?? 0));
      view.contentDOM.focus({ preventScroll: true });
      return true;
    },
    focus() {
      view.contentDOM.focus({ preventScroll: true });
    },
    destroy() {
      view.destroy();
    },
  };
}
