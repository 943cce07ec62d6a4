/**
 * Rewrites times that the tagger marked ("1945", "at 20h", "to friday now") into a form that the reader of
 * dates knows. Pure. Must not be called for other text. Called by plain.ts.
 */
/** Words around a new time that are said of the change. */
const AROUND =
  /^(?:to|auf|for|zu|nach|till|until)\s+(?=\S)|[\s,]+(?:now|instead|please|rather|lieber|jetzt|stattdessen|then|same (?:time|hours?|day)|sharp|ish|or so)$/giu
const MONTH =
  /(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*\.?\s+$|(?<!\p{L})(?:in|seit|since)\s+$/iu
/** Four digits of a clock, and three. */
const DIGITS = /(?<![\p{L}\p{N}:./-])([01]?\d|2[0-3])([0-5]\d)(?![\p{L}\p{N}:./-]|\.\d)/gu
const SPACED =
  /(?<![\p{L}\p{N}:./-])([01]?\d|2[0-3]) ([0-5]\d)(?=$|\s*(?:[ap]m|uhr)|\s+(?:til|till|to|bis|on|am)\s)/giu
const HOURS = /(?<![\p{L}\p{N}])(\d{1,2}) ?h(?![\p{L}\p{N}])/gu
const WHOLE_DAY =
  /(?:,\s*)?(?:(?:the |for the |den |die |für den )?(?:whole|all|entire|full|ganzen|ganze) (?:day|tag)|all[- ]day|ganztags|ganztägig)/giu

/** The day alone of "the 28th, all day", and whether all of it was said. */
export function wholeDayIn(text: string): { readonly day: string; readonly isWhole: boolean } {
  const day = text.replace(WHOLE_DAY, '').trim()
  return { day: day.replace(/^[\s,]+|[\s,]+$/g, ''), isWhole: day !== text.trim() }
}

export function plainTime(text: string): string {
  return text
    .trim()
    .replace(AROUND, '')
    .replace(/(?<!\p{L})o[ ']?clock(?!\p{L})/giu, "o'clock")
    .replace(HOURS, '$1:00')
    .replace(SPACED, '$1:$2')
    .replace(DIGITS, (digits, hour: string, minutes: string, at: number, all: string) =>
      MONTH.test(all.slice(0, at)) || digits.length < 3 ? digits : `${hour}:${minutes}`,
    )
}
