/** Messages drawn into an editor: line backgrounds, underlines, gutter signs. */

import { type Extension, type Range, RangeSet, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  gutterLineClass,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { IconMarker } from './editor';
import type { LineMark, SideMarks } from './marks';
import type { Ranges } from './pair';

/** A class on the gutters of one line. */
export class LineClass extends GutterMarker {
  constructor(override readonly elementClass: string) {
    super();
  }

  override eq(other: LineClass): boolean {
    return other.elementClass === this.elementClass;
  }
}

/** The offsets at which lines joined by `\n` start. */
export function starts(lines: readonly string[]): number[] {
  const found: number[] = [];
  let offset = 0;
  for (const line of lines) {
    found.push(offset);
    offset += line.length + 1;
  }
  return found;
}

/** The line background and the underlines of one message line that starts at `from`. */
export function markDecorations(mark: LineMark, from: number, length: number): Range<Decoration>[] {
  const underlines = mark.ranges
    .filter(([start, end]) => end > start && end <= length)
    .map(([start, end]) => Decoration.mark({ class: 'fpt-range' }).range(from + start, from + end));
  return [Decoration.line({ class: `fpt-side--${mark.tone}` }).range(from), ...underlines];
}

function wordMarks(view: EditorView, words: (line: number) => Ranges): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      for (const [start, end] of words(line.number - 1)) {
        if (end > start && end <= line.length) builder.add(line.from + start, line.from + end, WORD);
      }
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const WORD = Decoration.mark({ class: 'fpt-changed' });

/** Mark the changed words of the lines in view; `words` is asked for zero-based lines. */
export function changedWordMarks(words: (line: number) => Ranges): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = wordMarks(view, words);
      }
      update(update: ViewUpdate): void {
        if (update.viewportChanged) this.decorations = wordMarks(update.view, words);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

export interface SideLines {
  readonly side: 'cuda' | 'hip';
  readonly lines: readonly string[];
  readonly changed: Iterable<number>;
  readonly marks: SideMarks;
}

/** The changed lines and the messages of one side. */
export function marked({ side, lines, changed, marks }: SideLines): Extension {
  const offsets = starts(lines);
  const decorations: Range<Decoration>[] = [];
  const classes: Range<GutterMarker>[] = [];
  const icons: Range<GutterMarker>[] = [];
  const tint = Decoration.line({ class: `fpt-side--${side}` });
  const number = new LineClass(`fpt-num--${side}`);
  for (const line of changed) {
    const from = offsets[line] ?? 0;
    decorations.push(tint.range(from));
    classes.push(number.range(from));
  }
  for (const [line, mark] of marks) {
    const from = offsets[line];
    if (from === undefined) continue;
    decorations.push(...markDecorations(mark, from, lines[line]?.length ?? 0));
    classes.push(new LineClass(`fpt-num--${mark.tone}`).range(from));
    icons.push(new IconMarker(mark).range(from));
  }
  const iconSet = RangeSet.of(icons, true);
  return [
    EditorView.decorations.of(Decoration.set(decorations, true)),
    gutterLineClass.of(RangeSet.of(classes, true)),
    gutter({ class: 'fpt-signs', markers: () => iconSet }),
  ];
}
