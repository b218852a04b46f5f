/** Menu entries become cells: what was done stands in the notebook and can be run again. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import { PathExt } from '@jupyterlab/coreutils';
import { type INotebookTracker, NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';

const LOAD = '%load_ext fastpt_lab';

/** The words of one path, quoted where a shell would need it. */
function quoted(path: string): string {
  return /^[\w./\-\u0080-\uffff]+$/.test(path) ? path : `"${path.replace(/["\\]/g, '\\$&')}"`;
}

/** The current notebook, else a new one in `folder`. */
async function notebook(app: JupyterFrontEnd, tracker: INotebookTracker, folder: string): Promise<NotebookPanel | null> {
  if (!tracker.currentWidget) {
    await app.commands.execute('notebook:create-new', { cwd: folder, kernelName: 'python3' });
  }
  const panel = tracker.currentWidget;
  if (!panel) return null;
  await panel.context.ready;
  await panel.sessionContext.ready;
  return panel;
}

function isLoaded(panel: NotebookPanel): boolean {
  return [...(panel.content.model?.cells ?? [])].some((cell) => cell.sharedModel.getSource().includes(LOAD));
}

/** Append `%fastpt_<command> paths` to the notebook and run it. */
export async function runMagic(
  app: JupyterFrontEnd,
  tracker: INotebookTracker,
  command: string,
  paths: readonly string[],
  options: readonly string[] = [],
): Promise<void> {
  const panel = await notebook(app, tracker, PathExt.dirname(paths[0] ?? ''));
  if (!panel) return;
  const here = PathExt.dirname(panel.context.path);
  const words = paths.map((path) => quoted(PathExt.relative(here || '/', path) || '.'));
  const line = [`%fastpt_${command}`, ...words, ...options].join(' ');
  const first = isLoaded(panel) ? '' : `${LOAD}\n`;
  // A notebook that was opened again has the cell, but its kernel may not have run it.
  await panel.sessionContext.session?.kernel?.requestExecute({ code: LOAD, silent: true, store_history: false }).done;
  app.shell.activateById(panel.id);
  NotebookActions.insertBelow(panel.content);
  panel.content.activeCell?.model.sharedModel.setSource(first + line);
  await NotebookActions.run(panel.content, panel.sessionContext);
}
