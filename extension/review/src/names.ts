/** Which words name a file where only its name is shown. */

/** Return for each path its last part, with as many parents as tell it from the others. */
export function shortestNames(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  let open = [...new Set(paths)];
  for (let parts = 1; open.length; parts++) {
    const groups = new Map<string, string[]>();
    for (const path of open) {
      const name = path.split('/').slice(-parts).join('/');
      groups.set(name, [...(groups.get(name) ?? []), path]);
    }
    open = [];
    for (const [name, group] of groups) {
      for (const path of group) {
        if (group.length === 1 || name === path) names.set(path, name);
        else open.push(path);
      }
    }
  }
  return names;
}
