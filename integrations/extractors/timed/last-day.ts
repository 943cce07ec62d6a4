/**
 * Reads the last day of a repetition: "Christmas", "the end of June", "Ende des Jahres", "14 March". Pure.
 * Called by repeated-event.ts and message-move.ts.
 */

import { lastBeforeFeast } from '#easter'
import { type Moment, readDates } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'

/**
 * Days since 1970-01-01: the last one that counts. Christmas, Easter and a new year are none of them, the end of a
 * month is. Null for no day.
 */
export function lastDay(text: string, moment: Moment): number | null {
  const { now, zone } = moment
  const today = new Date(zone.dayOf(now) * DAY)
  const next = (month: number, date: number): number => {
    const day = Date.UTC(today.getUTCFullYear(), month, date) / DAY
    return day >= zone.dayOf(now) ? day : Date.UTC(today.getUTCFullYear() + 1, month, date) / DAY
  }
  if (/^(?:christmas|xmas|weihnachten)$/iu.test(text)) return next(11, 24)
  const feast = lastBeforeFeast(text, zone.dayOf(now))
  if (feast !== null) return feast
  if (
    /^(?:(?:the )?(?:new year|end of (?:the|this) year|year'?s end)|neujahr|silvester|jahresende|ende (?:des|dieses) jahres)$/iu.test(
      text,
    )
  )
    return next(11, 31)
  const month = /^(?:(?:the )?end of (?:the|this) month|monatsende|ende (?:des|dieses) monats)$/iu.test(text)
  if (month) return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0) / DAY
  const of = /^(?:the )?(?:end of|ende) (?<what>\S.*)$/iu.exec(text)?.groups?.['what']
  // A German month is one behind its preposition.
  const { span, rest } = readDates(
    of === undefined || !/^ende/i.test(text) ? (of ?? text) : `im ${of}`,
    moment,
  )
  if (span === null || span.named !== 'days' || rest.trim() !== '' || span.from < now - DAY) return null
  const [first, last] = [zone.dayOf(span.from), zone.dayOf(span.to) - 1]
  // "Until March" may mean its first day or its last.
  return of !== undefined || first === last ? last : null
}
