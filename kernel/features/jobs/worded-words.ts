/**
 * Words that ask for what code cannot do with what it reads: to tell it in other words, or beside something else. Pure. Called by proposal.ts and by the reader of
 * wishes that come again.
 */
const WORDED =
  /^(?:summari[sz]e|sum up|recap|compare|outline|explain|list|group|rank|fasse?|vergleiche?|erkläre?|liste?)(?!\p{L})/iu

export function asksForWords(topic: string): boolean {
  return WORDED.test(topic)
}
