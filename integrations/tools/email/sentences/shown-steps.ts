/** Plan steps about the mail that was just shown. Data only. Called by the phrases of mail. */
import type { Json } from '../../../../kernel/flow/json.ts'

export const SHOWN = {
  ...{
    lists: ['email.list', 'email.search', 'email.promises', 'email.digest'],
    list: 'emails',
    first: 'unread',
    unknown: 'which_mail',
  },
  lookUp: { tool: 'email.list', args: { count: 25 } },
  ...{ one: ['email.read'], only: ['email.archive', 'email.move', 'email.file', 'email.mark'] },
} as const

type Args = { readonly [name: string]: Json }

/** Reads the mail that was shown, with its text. */
export const SHOWN_READ = { id: 's1', do: 'tool', tool: 'email.read', args: { id: '{one.id}' } } as const

export const ofShown = (field: string): { readonly $ref: string } => ({ $ref: `s1.${field}` })

/** Answers it, to its single sender. */
export function replyStep(more: Args = {}) {
  const of = ofShown
  return {
    ...{ id: 's2', do: 'tool', tool: 'email.reply' },
    args: {
      ...{ to: of('from'), replyTo: of('replyTo'), id: of('id'), subject: of('subject') },
      ...{ body: '{topic.whole}', ...more },
    },
  } as const
}

/** The same at a given time. */
export function replyLaterStep(more: Args = {}) {
  const { args, ...step } = replyStep(more)
  return { ...step, tool: 'email.reply_later', args: { at: '{when.from}', ...args } } as const
}

/** Forwards the mail that this step has read. */
export function forwardStep(read: string, more: Args = {}) {
  const of = (field: string): { readonly $ref: string } => ({ $ref: `${read}.${field}` })
  return {
    ...{ id: read === 's1' ? 's2' : 's4', do: 'tool', tool: 'email.forward' },
    args: { to: '{whom}', id: of('id'), subject: of('subject'), text: of('body'), ...more },
  } as const
}

/** The same at a given time. */
export function forwardLaterStep(read: string) {
  const { args, ...step } = forwardStep(read)
  return { ...step, tool: 'email.forward_later', args: { at: '{when.from}', ...args } } as const
}
