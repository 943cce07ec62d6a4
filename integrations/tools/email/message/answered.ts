/**
 * Which mails the owner has answered, by the owner's own sent mail alone: it names the mail, and goes to whoever wrote it. Pure.
 * Must not be given mail that came in: a header of a stranger's could hide any other mail. Called by summaries.ts.
 */
import { type JsonRecord, recordOf } from '../../reading.ts'
import { idsIn } from './letter.ts'
import { addressesIn } from './mailbox.ts'
import { headersOf } from './mime.ts'

/** What each sent mail answers: message ids, and to whom it goes, in lower case. */
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

/**
 * An answer to somebody else counts for nothing, whatever it names: what it refers to was copied out of the mail that it
 * answers, and whoever wrote that one chose it.
 */
export function isAnswered(payload: JsonRecord, answers: Answers): boolean {
  const [id] = idsIn(headersOf(payload, 'message-id'))
  if (id === undefined) return false
  const writers = addressesIn(['from', 'reply-to'].flatMap((name) => headersOf(payload, name)))
  return answers.some(({ ids, to }) => ids.has(id) && writers.some((writer) => to.has(writer.toLowerCase())))
}
