/**
 * Card shown before two principals are linked as one person (F-15, E-21): who, proven where, what each will see of
 * the other, and what cannot be undone. Kernel words and ids. Must make the consequences clear. Called by
 * identity-links.ts.
 */
import type { LinkedChat } from '../../flow/linked-chat.ts'
import type { PrincipalClass } from '../../task/principal.ts'

export interface LinkCard {
  readonly ends: readonly LinkedChat[]
  /** Principal classes that apply to both after the link. */
  readonly classes: readonly PrincipalClass[]
}

export function linkCard({ ends, classes }: LinkCard): string {
  return [
    'Are these two one and the same person?',
    ...ends.map(({ principal, sink }, index) => {
      const as = (classes[index] ?? 'third_party').replaceAll('_', ' ')
      return `  - ${plain(principal, 'principal:')}, who said its code in ${plain(sink, 'sink:')}; counts as: ${as}`
    }),
    'If you say yes, each of the two may see what was said in the other’s chat, never more than its own chat may show.',
    'Each keeps a history of its own, and neither becomes you.',
    'You can end it at once with `pfar identities unlink`; what was shown until then cannot be recalled.',
    'This widens what I may do, so I ask for it in a message of its own.',
  ].join('\n')
}

function plain(id: string, prefix: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}
