/**
 * A job by its name alone ("morning briefing every weekday at 8"), and a request without what is said around it and changes nothing.
 * Pure. Called by job.ts.
 */
import type { Moment } from '../../dates/read.ts'
import { oftenInEnglish } from './job-german.ts'
import { setBy } from './job-half.ts'
import { readWhen } from './reminder.ts'

/** With how often it comes; "the weekly review every Friday" is an event. */
const BARE =
  /^(?:(?:the|my|an?|das|den|einen?) )?(?<name>(?:morning|evening|nightly|daily) (?:briefing|digest|overview|recap|summary)|(?:morning|evening|nightly) review|(?:morgen|abend|tages)(?:briefing|überblick|rückblick|übersicht)):?,? (?<when>\S.*)$/iu
/** "Please", "only" behind its days, "though". */
const SOFT =
  /[\s,]+(?:please|pls|bitte|though|aber)(?=[\s,]|$)|(?<=s|day|tag)[\s,]+(?:only|nur)(?=[\s,]|$)/giu
/** Why it is wanted so. */
const REASON =
  /,? (?:because|since|weil|denn) .*$|, (?:i(?:['’]m| am|['’]ll| will)|ich (?:bin|habe|will)) .*$/isu

export function bareJob(text: string, moment: Moment): ReturnType<typeof setBy> | null {
  const { name = '', when = '' } = BARE.exec(text)?.groups ?? {}
  if (name === '') return null
  const read = readWhen(when, moment) ?? readWhen(oftenInEnglish(when), moment)
  return read && setBy(name, read, { when, moment })
}

/** The same text where nothing is said around it. */
export function plainJob(text: string): string {
  return text.replace(REASON, '').replace(SOFT, '').trim()
}
