/** Between the contract's code points and JavaScript's UTF-16 units. */

/** Return the UTF-16 index of code point `character` of `line`; past the end is the end. */
export function utf16(line: string, character: number): number {
  let units = 0;
  for (const point of line) {
    if (character-- <= 0) break;
    units += point.length;
  }
  return units;
}

/** Return the number of columns that the white space at the start of `line` takes, tabs as 4. */
export function indent(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === '\t') columns += 4 - (columns % 4);
    else if (character === ' ') columns++;
    else break;
  }
  return columns;
}
