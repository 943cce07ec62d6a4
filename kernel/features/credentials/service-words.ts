/**
 * Reads that the owner wants a service connected, taken away or given another credential (L-10, L-11): "let's add Notion", "rotate my GitHub
 * token". Names are a closed list, those of installed tools. Must not act. Called by own-commands.ts and connect-commands.ts.
 */
import type { CredentialNeed } from '../../tool/channel.ts'

export interface ServiceWish {
  readonly wants: 'connect' | 'leave' | 'rotate'
  readonly service: string
}

const BEFORE =
  "(?:(?:please|can you|could you|can we|i want to|i would like to|i'd like to|let's|let us|lets|now) )*"
const AFTER = '(?: (?:account|integration|connection|access))?(?: (?:please|now|again))?'
const FORMS: readonly (readonly [ServiceWish['wants'], RegExp])[] = [
  [
    'connect',
    new RegExp(
      `^${BEFORE}(?:add|connect|connect to|set up|integrate|hook up|link|activate) (?:my |the )?(.+?)${AFTER}$`,
    ),
  ],
  [
    'leave',
    new RegExp(
      `^${BEFORE}(?:disconnect|remove|deactivate|unlink|cut off|forget|delete) (?:my |the )?(.+?)(?:(?: (?:token|key|credential|password|login))|${AFTER})$`,
    ),
  ],
  [
    'rotate',
    new RegExp(
      `^${BEFORE}(?:rotate|renew|replace|change|update|refresh) (?:my |the )?(.+?)(?:'s)? (?:api )?(?:token|key|credential|credentials|password|login|access)(?: please)?$`,
    ),
  ],
]

/** Null for any other message, so that "add milk" and "remove the second one" stay requests. */
export function serviceWish(words: string, needs: readonly CredentialNeed[]): ServiceWish | null {
  const text = words
    .trim()
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[.!?]+$/, '')
  for (const [wants, form] of FORMS) {
    const name = form.exec(text)?.[1]
    const need = needs.find(({ service, title }) => service === name || title.toLowerCase() === name)
    if (need !== undefined) return { wants, service: need.service }
  }
  return null
}
