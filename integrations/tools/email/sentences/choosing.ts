/**
 * Sentences that choose attachments of the forwarded mail: "forward it to Tom without the pictures", "leite sie an Tom weiter,
 * nur das PDF". The card names each file with its size and digest. Data only. Called by chosen-files.ts, at home.
 */
import type { Phrases } from '../../phrase.ts'
import { words } from '../../phrase.ts'
import { PART } from './attachment-from-mail.ts'
import { THING } from './shown.ts'
import { forwardStep, SHOWN, SHOWN_READ } from './shown-steps.ts'

export const CHOOSING: Phrases = {
  shapes: {
    thing: { pattern: THING, example: 'it' },
    part: { pattern: PART, example: 'PDF' },
  },
  lists: { en: { pass: words('forward / send / pass on / send on') }, de: {} },
  asks: [
    {
      says: {
        en: ['<pass> {thing} to {whom} [,] without (the|its|any|those) {part}'],
        de: [
          '(leite|schick|schicke) {thing} [an] {whom} weiter [,] ohne (die|den|das) {part}',
          '(leite|schick|schicke) {thing} ohne (die|den|das) {part} [an] {whom} weiter',
        ],
      },
      shown: SHOWN,
      plan: [SHOWN_READ, forwardStep('s1', { without: ['{part}'] })],
    },
    {
      says: {
        en: [
          '<pass> {thing} to {whom} [,] [but] (with only|only with|only|just|with just) (the|its) {part}',
          '<pass> (only|just) (the|its) {part} (of|from|in) {thing} to {whom}',
        ],
        de: [
          '(leite|schick|schicke) {thing} [an] {whom} weiter [,] [aber] nur [mit] (die|den|das|dem|der) {part}',
          '(leite|schick|schicke) nur (die|den|das) {part} (aus|von) {thing} [an] {whom} weiter',
        ],
      },
      shown: SHOWN,
      plan: [SHOWN_READ, forwardStep('s1', { only: ['{part}'] })],
    },
  ],
}
