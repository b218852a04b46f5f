/** Give the reader a file: the browser saves it where it saves files. */

/** Save base64 `data` under `name`. */
export function save(name: string, data: string): void {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: 'text/x-diff' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken what it needs once the click is handled.
  window.setTimeout(() => { URL.revokeObjectURL(address); });
}
