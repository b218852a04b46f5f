/** The first notebook of a port: the steps as cells, for the folder that is open. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import { type INotebookTracker, NotebookActions } from '@jupyterlab/notebook';
import type { wordsFor } from './words';

interface Cell {
  readonly cell_type: 'markdown' | 'code';
  readonly source: string;
}

/** Each step is a question and the line that answers it. */
export function tourCells(words: ReturnType<typeof wordsFor>): Cell[] {
  const { tour } = words.own;
  const step = (text: string, line: string): Cell[] => [
    { cell_type: 'markdown', source: text },
    { cell_type: 'code', source: line },
  ];
  return [
    ...step(`# ${words.own.launcher}\n\n${tour.survey}`, '%load_ext fastpt_lab\n%fastpt_survey'),
    ...step(tour.review, '%fastpt_review'),
    ...step(tour.green, '%fastpt_fix --until-green'),
    ...step(tour.build, '%fastpt_build'),
    ...step(tour.doctor, '%fastpt_doctor'),
    ...step(tour.keep, '%fastpt_report --output port.html'),
  ];
}

/** Make a new notebook in `folder` and run its first step; no file that is there is touched. */
export async function startTour(app: JupyterFrontEnd, tracker: INotebookTracker, words: ReturnType<typeof wordsFor>, folder: string): Promise<void> {
  await app.commands.execute('notebook:create-new', { cwd: folder, kernelName: 'python3' });
  const panel = tracker.currentWidget;
  const model = panel?.content.model?.sharedModel;
  if (!panel || !model) return;
  await panel.context.ready;
  await panel.sessionContext.ready;
  const cells = tourCells(words);
  model.insertCells(0, cells.map((cell) => ({ ...cell, metadata: {} })));
  // A new notebook has one empty cell.
  model.deleteCellRange(cells.length, model.cells.length);
  panel.content.activeCellIndex = 0;
  await NotebookActions.run(panel.content, panel.sessionContext);
  panel.content.activeCellIndex = 1;
  await NotebookActions.run(panel.content, panel.sessionContext);
}
