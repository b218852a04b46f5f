/** FastPT Lab in JupyterLab. It runs magics and shows the kernel's session; it decides nothing. */

import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { IDocumentManager } from '@jupyterlab/docmanager';
import { IFileBrowserFactory } from '@jupyterlab/filebrowser';
import { ILauncher } from '@jupyterlab/launcher';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';
import { codeIcon, listIcon } from '@jupyterlab/ui-components';
import { Client } from '../../review/src/client';
import { Store } from '../../review/src/store';
import type { Problem } from '../../review/src/wire';
import { Channel, type Placed } from './channel';
import { runMagic } from './magics';
import { ProblemsPanel } from './panel';
import { openPlace } from './places';
import { StatusItem } from './status';
import { startTour } from './tour';
import { wordsFor } from './words';

const PLUGIN = 'fastpt-lab-extension:plugin';
/** What the file browser's menu is offered on; folders too. */
const SOURCES = /\.(cu|cuh|c|cc|cpp|cxx|h|hpp|hxx|inl)$/;

interface Settings {
  arch: string;
  showStatus: boolean;
  openProblems: boolean;
}

/** Magics on the file browser's selection: menu and palette. */
function addMagics(
  app: JupyterFrontEnd,
  tracker: INotebookTracker,
  browser: IFileBrowserFactory | null,
  words: ReturnType<typeof wordsFor>,
  settings: Settings,
): string[] {
  const selected = (): string[] =>
    [...(browser?.tracker.currentWidget?.selectedItems() ?? [])]
      .filter((item) => item.type === 'directory' || SOURCES.test(item.name))
      .map((item) => item.path);
  const labels = { transcode: words.own.transcode, check: words.own.check, review: words.own.reviewThis } as const;
  return Object.entries(labels).map(([name, label]) => {
    const command = `fastpt-lab:${name}`;
    app.commands.addCommand(command, {
      label,
      icon: codeIcon,
      isVisible: () => selected().length > 0,
      execute: async (args) => {
        const paths = typeof args['path'] === 'string' ? [args['path']] : selected();
        const options = name !== 'transcode' && settings.arch ? ['--arch', settings.arch] : [];
        await runMagic(app, tracker, name, paths, options);
      },
    });
    return command;
  });
}

/** Bring the review of the current notebook into view, at `problem`; run one where there is none. */
async function showReview(app: JupyterFrontEnd, tracker: INotebookTracker, problem: Problem): Promise<void> {
  const panel = tracker.currentWidget;
  const view = panel?.node.querySelector('.fpt[data-review]');
  if (!panel || !view) {
    await runMagic(app, tracker, 'review', []);
    return;
  }
  app.shell.activateById(panel.id);
  view.scrollIntoView({ block: 'nearest' });
  view.dispatchEvent(new CustomEvent('fpt-open', { detail: problem.id }));
}

/** Feed panel and status from the kernel, and let the panel ask for what is not in the snapshot. */
function follow(channel: Channel, panel: ProblemsPanel, status: StatusItem, found: (snapshot: Placed) => void): { store: () => Store | null; client: Client } {
  const client = new Client(channel);
  let store: Store | null = null;
  const draw = (): void => {
    panel.display(channel.snapshot, store?.snapshot.problems ?? []);
    status.display(channel.snapshot);
  };
  channel.on('change:snapshot', () => {
    const { snapshot } = channel;
    if (!snapshot) store = null;
    else if (store) store.take(snapshot);
    else store = new Store(snapshot, client, draw);
    draw();
    if (snapshot) found(snapshot);
  });
  return { store: () => store, client };
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: PLUGIN,
  description: 'Port CUDA sources to HIP: menu, palette, launcher, problems, status.',
  autoStart: true,
  requires: [INotebookTracker, IDocumentManager],
  optional: [IFileBrowserFactory, ICommandPalette, ILauncher, ISettingRegistry, IStatusBar, ILayoutRestorer],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    documents: IDocumentManager,
    browser: IFileBrowserFactory | null,
    palette: ICommandPalette | null,
    launcher: ILauncher | null,
    registry: ISettingRegistry | null,
    bar: IStatusBar | null,
    restorer: ILayoutRestorer | null,
  ) => {
    const words = wordsFor(document.documentElement.lang);
    const settings: Settings = { arch: '', showStatus: true, openProblems: false };
    const commands = addMagics(app, tracker, browser, words, settings);
    const channel = new Channel(tracker);
    const open = (problem: Problem): void => {
      const { snapshot } = channel;
      if (snapshot && problem.path) void openPlace(documents, snapshot, problem.path, problem, words.own.outside);
    };
    const panel = new ProblemsPanel(words, {
      check: () => { void feed.client.ask('check', {}).catch(() => undefined); },
      review: (problem) => { void showReview(app, tracker, problem); },
      open,
      more: () => { feed.store()?.moreProblems(); },
    });
    panel.title.icon = listIcon;
    panel.title.caption = `FastPT Lab: ${words.own.problems}`;
    app.shell.add(panel, 'left', { rank: 350 });
    restorer?.add(panel, panel.id);
    const showPanel = (): void => { app.shell.activateById(panel.id); };
    const status = new StatusItem(words, showPanel);
    let revision = -1;
    const feed = follow(channel, panel, status, (snapshot) => {
      const fresh = snapshot.report !== revision;
      revision = snapshot.report;
      if (fresh && settings.openProblems && snapshot.errors) showPanel();
    });
    app.commands.addCommand('fastpt-lab:problems', { label: words.own.showProblems, icon: listIcon, execute: showPanel });
    app.commands.addCommand('fastpt-lab:start', {
      label: words.own.launcher,
      icon: codeIcon,
      execute: async (args) => {
        const cwd = typeof args['cwd'] === 'string' ? args['cwd'] : (browser?.tracker.currentWidget?.model.path ?? '');
        await startTour(app, tracker, words, cwd);
      },
    });
    for (const command of [...commands, 'fastpt-lab:problems', 'fastpt-lab:start']) palette?.addItem({ command, category: words.own.category });
    launcher?.add({ command: 'fastpt-lab:start', category: 'Notebook', rank: 50 });
    bar?.registerStatusItem(`${PLUGIN}:status`, { item: status, align: 'left', rank: 90, isActive: () => settings.showStatus && !status.isHidden });
    void registry?.load(PLUGIN).then((loaded) => {
      const take = (): void => {
        Object.assign(settings, loaded.composite);
        status.display(settings.showStatus ? channel.snapshot : null);
      };
      loaded.changed.connect(take);
      take();
    });
  },
};

export default plugin;
