/** C++ colours by the theme's own hues; the same for the diff and for suggested changes. */

import { cppLanguage } from '@codemirror/lang-cpp';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { highlightCode, tags } from '@lezer/highlight';
import { h } from '../dom';

const style = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.modifier, tags.self], class: 'tok-keyword' },
  { tag: [tags.typeName, tags.standard(tags.typeName), tags.className, tags.namespace], class: 'tok-type' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.function(tags.definition(tags.variableName))], class: 'tok-def' },
  { tag: [tags.number, tags.bool, tags.null, tags.character], class: 'tok-number' },
  { tag: [tags.string, tags.special(tags.string)], class: 'tok-string' },
  { tag: [tags.processingInstruction, tags.meta], class: 'tok-meta' },
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.operator, class: 'tok-op' },
]);

/** CUDA C++ in an editor. */
export function cpp(): Extension {
  return [cppLanguage, syntaxHighlighting(style)];
}

/** The spans of each line of `text`, read as one piece of C++. */
export function colouredLines(text: string): Node[][] {
  const lines: Node[][] = [[]];
  highlightCode(
    text,
    cppLanguage.parser.parse(text),
    style,
    (part, classes) => lines.at(-1)?.push(classes ? h('span', { class: classes }, part) : document.createTextNode(part)),
    () => lines.push([]),
  );
  return lines;
}
