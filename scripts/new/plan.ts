/**
 * The plan of a new unit: the tree that is read, the files to write, and edits of lists. Must not write. Called by the
 * units of this folder.
 */

export interface Tree {
  /** Paths are relative to the root of the tree. */
  readonly has: (path: string) => boolean
  readonly read: (path: string) => string
  /** A template, by its path in this folder without `.tmpl`. */
  readonly template: (path: string) => string
}

export interface Plan {
  /** Path and whole text of new files and of changed lists. */
  readonly files: readonly (readonly [path: string, text: string])[]
  /** Commands to run next, in this order. */
  readonly next: readonly string[]
}

/** A unit that cannot be created; the message is for the person who typed the command. */
export class Refused extends Error {}

/** Replaces each `__name__` of a template by its value. Throws for a name without a value. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/__([a-zA-Z]+)__/g, (whole, key: string) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    if (value === undefined) throw new Error(`a template has ${whole}, and nothing stands for it`)
    return value
  })
}

/** `tides` becomes `Tides`. */
export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Adds an entry at the end of the list that begins at `opening`, before the first `closing` after it. */
export function withEntry(text: string, list: { opening: string; closing: string; entry: string }): string {
  const at = text.indexOf(list.closing, text.indexOf(list.opening))
  if (!text.includes(list.opening) || at === -1) throw new Error(`there is no list ${list.opening}`)
  const before = text.slice(0, at).trimEnd()
  const comma = /[,[{]$|\/\/.*$/.test(before) ? '' : ','
  return `${before}${comma}\n${list.entry},\n${text.slice(at).trimStart()}`
}

/** Adds an import after the last one; the formatter sorts it. */
export function withImport(text: string, line: string): string {
  const at = text.lastIndexOf('\nimport ') + 1
  const end = text.indexOf('\n', text.indexOf(' from ', at)) + 1
  if (at === 0 || end === 0) throw new Error('there is no import to put another behind')
  return `${text.slice(0, end)}${line}\n${text.slice(end)}`
}
