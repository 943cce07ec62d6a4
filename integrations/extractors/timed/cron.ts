/**
 * Replaces a cron string in a request by a daily time, so that the sentence can be read, and returns the cron
 * string. Pure. Must not judge how often it runs. Called by job.ts.
 */
import { parseCron } from '../../../kernel/features/reminders/cron.ts'

const FIELD = String.raw`[\d*][\d*/,-]*`
const NAMED = String.raw`(?:[\d*]|[a-z]{3}\b)[\d*/,a-z-]*`
/** Five fields alone may be any numbers: one is a star, unless they are said to be a cron string. */
const CRON = new RegExp(
  String.raw`(?<said>\bcron(?:tab)?(?: string| expression)?:? )?["'\u0060]?(?<cron>(?<![\w*/])${FIELD} ${FIELD} ${FIELD} ${NAMED} ${NAMED})(?![\w*/]| [\d*])["'\u0060]?:?`,
  'i',
)

export interface CronRead {
  readonly text: string
  /** Null for one that is none. */
  readonly cron: string | null
}

/** Null for a text without one. */
export function withoutCron(text: string): CronRead | null {
  const found = CRON.exec(text)
  const { cron = '', said } = found?.groups ?? {}
  if (found === null || (said === undefined && !cron.includes('*'))) return null
  const [head, tail] = [text.slice(0, found.index), text.slice(found.index + found[0].length)]
  return {
    text: `${head}every day at 00:01${tail}`,
    cron: parseCron(cron) === null ? null : cron,
  }
}
