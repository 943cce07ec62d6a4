/** Steps that find a mail by words, in the plans of mail requests. Data only. Called by the phrases of mail. */

/** The list that is searched if no shown mail matches; it is not shown itself. */
export const AMONG = {
  ...{ tool: 'email.list', shows: ['email.search', 'email.promises'], list: 'emails' },
  ...{ first: 'unread', count: 25, unknown: 'which_mail' },
} as const

/**
 * The newest mail of the inbox with all of these words. The words of others decide which, so the following step needs an
 * approval.
 */
export function found(slot: string) {
  return [
    { id: 's1', do: 'tool', tool: 'email.list', args: { count: 25 } },
    { id: 's2', do: 'select', from: 's1.emails', matching: slot, take: 'first' },
  ] as const
}

export function of(field: string): { readonly $ref: string } {
  return { $ref: ['s2', field].join('.') }
}
