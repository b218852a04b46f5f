/** Open a place of an original in JupyterLab's own editor. */

import { Notification } from '@jupyterlab/apputils';
import { PageConfig, PathExt } from '@jupyterlab/coreutils';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { IDocumentWidget } from '@jupyterlab/docregistry';
import type { FileEditor } from '@jupyterlab/fileeditor';
import { utf16 } from '../../review/src/columns';
import type { Placed } from './channel';

/** The path that the server gives `path` of the project, null if it does not serve it. */
export function servedPath(snapshot: Placed, path: string, served = PageConfig.getOption('serverRoot')): string | null {
  const root = PathExt.normalize(served.replace(/^~(?=\/|$)/, snapshot.home));
  const full = path.startsWith('/') ? path : PathExt.join(snapshot.root, path);
  const relative = PathExt.relative(root, full);
  return relative === '..' || relative.startsWith('../') ? null : relative;
}

/** Open `path` with the caret at a zero-based line and code point. */
export async function openPlace(
  documents: IDocumentManager,
  snapshot: Placed,
  path: string,
  place: { readonly line: number; readonly character: number },
  outside: (path: string) => string,
): Promise<void> {
  const served = servedPath(snapshot, path);
  if (served === null) {
    Notification.warning(outside(path), { autoClose: false });
    return;
  }
  const widget = documents.openOrReveal(served, 'Editor') as IDocumentWidget<FileEditor> | undefined;
  if (!widget) return;
  await widget.context.ready;
  await widget.content.ready;
  const { editor } = widget.content;
  const column = utf16(editor.getLine(place.line) ?? '', place.character);
  const position = { line: place.line, column };
  editor.setCursorPosition(position);
  editor.revealPosition(position);
  editor.focus();
}
