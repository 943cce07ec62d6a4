/**
 * Which mails the owner has answered, judged only by the owner's sent mail: it must refer to the mail, and go to its sender.
 * Pure. Must not be given received mail, whose headers could mark any other mail as answered. Called by summaries.ts.
 */
import { type JsonRecord, recordOf } from '../../reading.ts'
import { idsIn } from './letter.ts'
import { addressesIn } from './mailbox.ts'
import { headersOf } from './mime.ts'

/** What each sent mail answers (message ids), and its recipients in lower case. */
export type Answers = readonly { readonly ids: ReadonlySet<string>; readonly to: ReadonlySet<string> }[]

export function answersIn(sent: readonly JsonRecord[]): Answers {
  return sent.map((message) => {
    const payload = recordOf(message, 'payload')
    const all = (names: readonly string[]) => names.flatMap((name) => headersOf(payload, name))
    return {
      ids: new Set(idsIn(all(['in-reply-to', 'references']))),
      to: new Set(addressesIn(all(['to', 'cc'])).map((one) => one.toLowerCase())),
    }
  })
}

/** A reply to somebody else does not count: its references are copied from the mail that it answers, whose sender chose them. */
export function isAnswered(payload: JsonRecord, answers: Answers): boolean {
  const [id] = idsIn(headersOf(payload, 'message-id'))
  if (id === undefined) return false
  const writers = addressesIn(['from', 'reply-to'].flatMap((name) => headersOf(payload, name)))
  return answers.some(({ ids, to }) => ids.has(id) && writers.some((writer) => to.has(writer.toLowerCase())))
}
