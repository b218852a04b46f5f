/** The plug-in's own words; the rest are the review's. */

import { english } from '../../review/src/words';
import { chinese } from '../../review/src/words_zh';

const own = {
  en: {
    category: 'FastPT Lab',
    transcode: 'Transcode to HIP',
    check: 'Check under HIP',
    reviewThis: 'Review the port',
    problems: 'Problems',
    showProblems: 'Show FastPT Problems',
    launcher: 'Port a CUDA extension',
    tour: {
      survey: 'What does this folder use, how much of it is automatic, and which route fits? Nothing is compiled or written.',
      review: 'Where is the first error, in the original? This transcodes, compiles every unit, and shows each fix as a suggested change. Accept, edit or skip it; every write can be undone.',
      green: 'Or go on by itself while a fix that is safe moves the first error. `%fastpt_undo --all` takes everything back.',
      build: 'Does the project’s own build succeed? Its first error is shown in the original too.',
      doctor: 'Compiling is not running: what do device, runtime, torch and extension say, from the bottom up?',
      keep: 'The whole port as one document.',
    },
    filter: 'Filter by text, file or rule',
    none: 'Nothing has been checked on this notebook’s kernel. Run %fastpt_check or %fastpt_review.',
    nothing: 'No problem matches.',
    reviewFix: 'Review fix',
    openFile: 'Open file',
    outside: (path: string) => `${path} lies outside the folder that JupyterLab serves`,
    first: (place: string) => `first: ${place}`,
    compiles: 'compiles',
    same: (count: number) => `${count} more of the same kind`,
  },
  zh: {
    category: 'FastPT Lab',
    transcode: '转码为 HIP',
    check: '在 HIP 下检查',
    reviewThis: '审阅移植',
    problems: '问题',
    showProblems: '显示 FastPT 问题',
    launcher: '移植 CUDA 扩展',
    tour: {
      survey: '此文件夹用到了什么，有多少可以自动完成，适合哪条路线？此步不编译，也不写入文件。',
      review: '首个错误在原文件的哪一处？此步转码并编译每个编译单元，把每个修改显示为修改建议。可采纳、编辑或跳过；每次写入都能撤销。',
      green: '也可以让它自动进行，只要安全的修改能推进首个错误。`%fastpt_undo --all` 可全部撤销。',
      build: '项目自己的构建能成功吗？其首个错误同样显示在原文件中。',
      doctor: '能编译不等于能运行：设备、运行时、torch 与扩展自下而上情况如何？',
      keep: '把整个移植过程存为一份文档。',
    },
    filter: '按文本、文件或规则筛选',
    none: '此笔记本的内核尚未检查任何内容。请运行 %fastpt_check 或 %fastpt_review。',
    nothing: '没有匹配的问题。',
    reviewFix: '审阅修改',
    openFile: '打开文件',
    outside: (path: string) => `${path} 不在 JupyterLab 提供的文件夹内`,
    first: (place: string) => `首个：${place}`,
    compiles: '编译通过',
    same: (count: number) => `另有 ${count} 个同类问题`,
  },
};

/** Words in JupyterLab's display language. */
export function wordsFor(language: string): { review: typeof english; own: (typeof own)['en'] } {
  return language.toLowerCase().startsWith('zh') ? { review: chinese, own: own.zh } : { review: english, own: own.en };
}
