/** Messages drawn into an editor: line backgrounds, underlines, gutter signs. */

import { type Extension, type Range, RangeSet } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutter, gutterLineClass } from '@codemirror/view';
import { IconMarker } from './editor';
import type { LineMark, SideMarks } from './marks';
import type { Line } from './pair';

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

/** The background of a changed line that starts at `from`, and its changed words. */
export function changeDecorations(side: 'cuda' | 'hip', changes: Line['changes'], from: number): Range<Decoration>[] {
  const words = changes
    .filter(([start, end]) => end > start)
    .map(([start, end]) => Decoration.mark({ class: 'fpt-changed' }).range(from + start, from + end));
  return [Decoration.line({ class: `fpt-side--${side}` }).range(from), ...words];
}

export interface SideLines {
  readonly side: 'cuda' | 'hip';
  readonly lines: readonly string[];
  readonly changed: ReadonlyMap<number, Line['changes']>;
  readonly marks: SideMarks;
}

/** The changes and the messages of one side. */
export function marked({ side, lines, changed, marks }: SideLines): Extension {
  const offsets = starts(lines);
  const decorations: Range<Decoration>[] = [];
  const classes: Range<GutterMarker>[] = [];
  const icons: Range<GutterMarker>[] = [];
  for (const [number, changes] of changed) {
    const from = offsets[number] ?? 0;
    decorations.push(...changeDecorations(side, changes, from));
    classes.push(new LineClass(`fpt-num--${side}`).range(from));
  }
  for (const [number, mark] of marks) {
    const from = offsets[number];
    if (from === undefined) continue;
    decorations.push(...markDecorations(mark, from, lines[number]?.length ?? 0));
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
