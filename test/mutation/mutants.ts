/**
 * Every mutant that Stryker makes of the kernel, as data: which text of which file becomes which. A frozen mutant is found
 * again by its text, so that it follows code that moves. Writes nothing. Used by test/mutation/main.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** A mutant by what stays the same when its code moves. */
export interface FrozenMutant {
  readonly file: string
  /** Line, counted from 1, in the commit that it was frozen at: for readers. */
  readonly line: number
  readonly mutator: string
  /** The whole line, or the first of several, that the mutated code begins on, without space at its ends. */
  readonly context: string
  /** The code that is replaced, its white space collapsed. */
  readonly original: string
  readonly replacement: string
}

/** A mutant of the present tree, with the range that Stryker is given: lines from 1, columns from 0. */
export interface PresentMutant extends FrozenMutant {
  readonly range: string
}

const silent = { debug: drop, info: drop, warn: drop, error: drop, trace: drop, fatal: drop }
const LOGGER = {
  ...silent,
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
}

/** All mutants of the files that a pattern names, in the order of files and places. */
export async function mutantsOf(root: string, pattern: string): Promise<PresentMutant[]> {
  const found: PresentMutant[] = []
  for (const file of globSync(pattern, { cwd: root }).sort()) {
    const content = readFileSync(join(root, file), 'utf8')
    const lines = content.split('\n')
    const { mutants } = await new Instrumenter(LOGGER).instrument([{ name: file, mutate: true, content }], {
      plugins: null,
      ignorers: [],
      excludedMutations: [],
      noHeader: true,
    })
    for (const { location, mutatorName, replacement } of mutants) {
      const { start, end } = location
      found.push({
        file,
        line: start.line + 1,
        mutator: mutatorName,
        context: (lines[start.line] ?? '').trim(),
        original: collapsed(between(lines, start, end)),
        replacement: collapsed(replacement),
        range: `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
      })
    }
  }
  return found
}

interface Position {
  readonly line: number
  readonly column: number
}

function between(lines: readonly string[], start: Position, end: Position): string {
  if (start.line === end.line) return (lines[start.line] ?? '').slice(start.column, end.column)
  return [
    (lines[start.line] ?? '').slice(start.column),
    ...lines.slice(start.line + 1, end.line),
    (lines[end.line] ?? '').slice(0, end.column),
  ].join('\n')
}

/** Text without regard to layout: a moved or newly formatted piece of code is the same code. */
export function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** What makes two mutants one: the change, and the line it stands on. */
export function identityOf(mutant: FrozenMutant): string {
  return JSON.stringify([mutant.mutator, mutant.original, mutant.replacement, mutant.context])
}

/**
 * Where frozen mutants stand today: in their own file first, else in whichever file holds the same change on the same line.
 * Equal ones are told apart by their order. `gone` are those whose text is nowhere.
 */
export function locate(
  frozen: readonly FrozenMutant[],
  present: readonly PresentMutant[],
): { readonly found: readonly PresentMutant[]; readonly gone: readonly FrozenMutant[] } {
  const places = Map.groupBy(present, identityOf)
  const taken = new Set<PresentMutant>()
  const found: PresentMutant[] = []
  const gone: FrozenMutant[] = []
  for (const mutant of frozen) {
    const free = (places.get(identityOf(mutant)) ?? []).filter((place) => !taken.has(place))
    const place = free.find(({ file }) => file === mutant.file) ?? free[0]
    if (place === undefined) gone.push(mutant)
    else {
      taken.add(place)
      found.push(place)
    }
  }
  return { found, gone }
}

function drop(): void {
  // The program prints what matters itself.
}

function no(): boolean {
  return false
}
