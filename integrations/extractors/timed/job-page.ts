/**
 * Reads requests to write a job to a page as well, or to stop that: "write the crypto digest to my Notion
 * page Reading too". Requires "too", or a word that only names jobs. Pure. Called by job.ts.
 */
interface PageReading {
  readonly intent: 'job_page' | 'job_page_stop'
  /** Words that name the job; null for one that was talked about. */
  readonly topic: string | null
  /** Service and page, as typed. */
  readonly into?: string
}

const TO = '(?:to|into|onto|on|in)(?: (?:the|my))*'
const WRITE = new RegExp(
  `^(?:please )?(?<first>also )?(?:write|add|append|put|copy|save)(?: (?:the|my))* (?<name>\\S.{0,80}?)(?<mid> too| as well| also)? ${TO} (?<into>[\\p{L}\\d]{2,30}(?: |-)page \\S.{0,100}?)(?<last> too| as well| also)?$`,
  'isu',
)
const STOP = new RegExp(
  `^(?:please )?(?:stop|do not|don['’]?t|no longer) (?:writ(?:e|ing)|add(?:ing)?|append(?:ing)?|put(?:ting)?|copy(?:ing)?|sav(?:e|ing))(?: (?:the|my))* (?<name>\\S.{0,80}?) ${TO} (?<into>[\\p{L}\\d]{2,30})(?:(?: |-)page(?: \\S.{0,100}?)?)?(?<more> any ?more| any longer)?$`,
  'isu',
)
/** What is called so is a job; a note that is to be written is not. */
const JOB =
  /(?:briefing|digest|forecast|review|übersicht|rückblick|prüfung|vorhersage|\bjob(?: (?:no\.? ?|number )?\d{1,4})?)$/iu
const IT = /^(?:it|that|them|those)$/i

/** Null for any other sentence. */
export function readPage(text: string): PageReading | null {
  const on = /\bpage\b/i.test(text) ? WRITE.exec(text)?.groups : undefined
  if (on !== undefined) {
    const { name = '', into = '', first, mid, last } = on
    const isAlso = [first, mid, last].some((word) => word !== undefined)
    return isAlso || JOB.test(name) ? { intent: 'job_page', topic: topicOf(name), into } : null
  }
  const off = STOP.exec(text)?.groups
  return off === undefined ? null : { intent: 'job_page_stop', topic: topicOf(off['name'] ?? '') }
}

function topicOf(name: string): string | null {
  return IT.test(name) ? null : name
}
