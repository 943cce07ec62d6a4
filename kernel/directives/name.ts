/**
 * Names of directive files (O-11): a name and never a path, in one spelling only, so that two names cannot mean one file
 * and one name cannot mean two. Must not repair what it is given. Called by whatever takes a name from outside.
 */
import { err, ok, type Result } from '../flow/verdict.ts'

/** `SOUL`, `TRAVEL-PLANS`; without the `.md` that people say with it. */
export type FileName = string & { readonly __brand: 'FileName' }

/** UTF-16 units: a name stands in every owner prompt. */
export const NAME_MAX = 32

const NAME = /^[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)*$/

/** What is wrong, most telling first. None of them is mended: a mended name would be another way to spell it. */
const PROBLEMS: readonly (readonly [problem: string, pattern: RegExp])[] = [
  ['control character', /\p{C}/u],
  ['encoded character', /[%\\&]/],
  ['path', /[/:~]|\.\./],
  ['not plain letters', /[^\x20-\x7e]/],
  ['lower case', /[a-z]/],
]

/** `SOUL` or `SOUL.md`. Refusal: directive_name, with what is wrong in a fact. */
export function parseFileName(input: unknown): Result<FileName> {
  if (typeof input !== 'string') return err('directive_name', { problem: 'no text' })
  if (input.length > NAME_MAX + '.md'.length) return err('directive_name', { problem: 'too long' })
  const name = input.replace(/\.md$/, '')
  if (NAME.test(name) && name.length <= NAME_MAX) return ok(name as FileName)
  const problem = PROBLEMS.find(([, pattern]) => pattern.test(name))?.[0]
  return err('directive_name', { problem: problem ?? (name.length > NAME_MAX ? 'too long' : 'shape') })
}

/**
 * Whether words name a file outright (O-17): `TRAVEL.md` or `@TRAVEL` in any case, or `the TRAVEL file` in capitals. A
 * subject that happens to be a file's name is not one of these.
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

/** Not within a longer name: `@TRAVEL` does not name `TRAVEL-2`. */
function standsAlone(words: string, what: string): boolean {
  for (let at = words.indexOf(what); at >= 0; at = words.indexOf(what, at + 1))
    if (!/[\w@-]/.test(words[at - 1] ?? ' ') && !/[\w-]/.test(words[at + what.length] ?? ' ')) return true
  return false
}
