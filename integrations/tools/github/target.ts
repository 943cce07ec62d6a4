/**
 * Parses the name of a repository, an issue or a pull request: `acme/site`, `acme/site#12`, or the address of its page. Refuses
 * everything that cannot be one path segment, so that no name leads to another path. Pure. Called by run.ts, shape.ts and the
 * writes.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'

export interface Repo {
  readonly owner: string
  readonly name: string
}

export interface Item extends Repo {
  readonly number: number
}

/** Pattern sources for a login and a repository's name. */
const OWNER = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})'
const NAME = '[A-Za-z0-9._-]{1,100}'
const DIGITS = '[1-9]\\d{0,8}'

const NAMED = new RegExp(`^(${OWNER})/(${NAME})(?:#(${DIGITS}))?$`)
const PAGE = new RegExp(
  `^https?://[^/\\s]{1,253}/(${OWNER})/(${NAME})(?:/(?:issues|pull|pulls)/(${DIGITS}))?(?:[/?#]\\S*)?$`,
)

/** From any form of name. Refusal: tool_arguments_invalid. */
export function repoIn(text: string): Result<Repo> {
  const [, owner = '', name = ''] = NAMED.exec(text) ?? PAGE.exec(text) ?? []
  return owner === '' || /^\.+$/.test(name)
    ? err('tool_arguments_invalid', { rule: 'repository' })
    : ok({ owner, name: name.replace(/\.git$/, '') })
}

/** `number`: used if the name is that of the repository. */
export function itemIn(text: string, number: unknown): Result<Item> {
  const repo = repoIn(text)
  if (!repo.ok) return repo
  const said = typeof number === 'string' ? number.replace(/^#/, '') : ''
  const named = NAMED.exec(text)?.[3] ?? PAGE.exec(text)?.[3] ?? ''
  // Two different numbers are ambiguous.
  if (said !== '' && named !== '' && said !== named) return err('tool_arguments_invalid', { rule: 'number' })
  const digits = named || said
  return new RegExp(`^${DIGITS}$`).test(digits)
    ? ok({ ...repo.value, number: Number(digits) })
    : err('tool_arguments_invalid', { rule: 'number' })
}

export function nameOf({ owner, name }: Repo): string {
  return `${owner}/${name}`
}

export function itemName(repo: Repo, number: number): string {
  return `${nameOf(repo)}#${number}`
}

export function pathOf({ owner, name }: Repo): string {
  return `/repos/${owner}/${name}`
}
