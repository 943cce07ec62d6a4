/**
 * Names of directive files (O-11): a name, never a path, with exactly one spelling, so that two names cannot mean one file nor
 * one name two. Must not correct its input. Called by all code that takes a name from outside.
 */
import { err, ok, type Result } from '../flow/verdict.ts'

/** `SOUL`, `TRAVEL-PLANS`; without the `.md`. */
export type FileName = string & { readonly __brand: 'FileName' }

/** Maximum UTF-16 units: every owner prompt contains the names. */
export const NAME_MAX = 32

const NAME = /^[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)*$/

/** Faults, most informative first. None is corrected, because a corrected name would be a second spelling. */
const PROBLEMS: readonly (readonly [problem: string, pattern: RegExp])[] = [
  ['control character', /\p{C}/u],
  ['encoded character', /[%\\&]/],
  ['path', /[/:~]|\.\./],
  ['not plain letters', /[^\x20-\x7e]/],
  ['lower case', /[a-z]/],
]

/** Accepts `SOUL` or `SOUL.md`. Refusal: directive_name, with the fault as a fact. */
export function parseFileName(input: unknown): Result<FileName> {
  if (typeof input !== 'string') return err('directive_name', { problem: 'no text' })
  if (input.length > NAME_MAX + '.md'.length) return err('directive_name', { problem: 'too long' })
  const name = input.replace(/\.md$/, '')
  if (NAME.test(name) && name.length <= NAME_MAX) return ok(name as FileName)
  const problem = PROBLEMS.find(([, pattern]) => pattern.test(name))?.[0]
  return err('directive_name', { problem: problem ?? (name.length > NAME_MAX ? 'too long' : 'shape') })
}

/**
 * Whether words name a file explicitly (O-17): `TRAVEL.md` or `@TRAVEL` in any case, or `the TRAVEL file` in capitals. A
 * subject that equals a file's name does not count.
 */
export function namesFile(words: string, name: string): boolean {
  const lower = words.toLowerCase()
  const file = name.toLowerCase()
  return (
    standsAlone(lower, `${file}.md`) ||
    standsAlone(lower, `@${file}`) ||
    standsAlone(words, `${name} file`) ||
    standsAlone(words, `file ${name}`)
  )
}

/** Not part of a longer name: `@TRAVEL` does not name `TRAVEL-2`. */
function standsAlone(words: string, what: string): boolean {
  for (let at = words.indexOf(what); at >= 0; at = words.indexOf(what, at + 1))
    if (!/[\w@-]/.test(words[at - 1] ?? ' ') && !/[\w-]/.test(words[at + what.length] ?? ' ')) return true
  return false
}
