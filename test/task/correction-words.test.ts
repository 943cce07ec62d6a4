/**
 * Corrections of a text by what is said of it, and the text with them: by the form of what is said, in English and German, and only where
 * the words stand in it.
 */
import { describe, expect, it } from 'vitest'
import { corrected } from '../../kernel/task/answers/corrected-text.ts'
import { correctionIn } from '../../kernel/task/answers/correction-words.ts'

/** The text after the first reading that fits it; null where none does. */
function made(text: string, said: string): string | null {
  for (const one of correctionIn(said)?.readings ?? []) {
    const whole = corrected(text, one)
    if (whole !== null) return whole
  }
  return null
}

const MAIL = 'Both are fine, I will ring you tomorrow after lunch.'
const POST = 'Die Miete beträgt 4200 Euro, zahlbar bis Freitag.'

describe('other words for some of it', () => {
  it.each([
    'change tomorrow to Wednesday',
    'actually, change tomorrow to Wednesday please',
    'say Wednesday instead of tomorrow',
    'no, say Wednesday instead of tomorrow',
    'Wednesday instead of tomorrow',
    'wait, not tomorrow but Wednesday',
    'sorry, I meant Wednesday, not tomorrow',
    'replace tomorrow with Wednesday',
    'replace "tomorrow" by "Wednesday" in the mail',
    'instead of tomorrow say Wednesday',
    'hmm, tomorrow should be Wednesday',
    'swap tomorrow for Wednesday.',
    'put Wednesday rather than tomorrow',
  ])('%s', (said) => {
    expect(made(MAIL, said)).toBe('Both are fine, I will ring you Wednesday after lunch.')
  })

  it.each([
    'nimm 4300 statt 4200',
    'schreib statt 4200 lieber 4300',
    'schreib lieber 4300 statt 4200',
    'ersetze 4200 durch 4300',
    'ne, 4300 statt 4200 bitte',
    'nein, nicht 4200 sondern 4300',
    'mach aus 4200 4300',
    'ändere 4200 in 4300',
    'ach quatsch, statt 4200 4300',
    'ich meinte 4300, nicht 4200',
    '4200 soll 4300 heißen',
  ])('%s', (said) => {
    expect(made(POST, said)).toBe('Die Miete beträgt 4300 Euro, zahlbar bis Freitag.')
  })

  it.each([
    [
      'Tomorrow is fine. See you tomorrow',
      'say friday instead of tomorrow',
      'Friday is fine. See you friday',
    ],
    ['I paid 42 and 420.', 'change 42 to 43', 'I paid 43 and 420.'],
    ['I paid 42.50.', 'change 42 to 43', null],
    ['From Tom to Ann', 'change Tom to Ann to Gwen', 'From Gwen'],
    ["I don't mind", "replace don't mind with agree", 'I agree'],
  ])('stand by themselves in it: %s, %s', (text, said, whole) => {
    expect(made(text, said)).toBe(whole)
  })
})

describe('without some of it', () => {
  it.each([
    ['Passt, danke, bin dabei', 'warte, ohne das danke', 'Passt, bin dabei'],
    ['Passt, danke, bin dabei', 'lass das danke weg', 'Passt, bin dabei'],
    ['Passt. Danke!', 'nimm das danke raus', 'Passt.'],
    ['Danke, passt.', 'ohne danke', 'Passt.'],
    ['I am in, thanks.', 'without the thanks', 'I am in.'],
    ['Thanks. I am in.', 'drop the thanks', 'I am in.'],
    ['I am really very happy.', 'leave out "really very"', 'I am happy.'],
    ['One. Two is at 3.30 pm! Three?', 'leave out the last sentence', 'One. Two is at 3.30 pm!'],
    ['Eins. Zwei. Drei.', 'streich den zweiten Satz', 'Eins. Drei.'],
    ['Hi Ann,\nall fine.\nGwen', 'take out the last line', 'Hi Ann,\nall fine.'],
    ['Only one.', 'leave out the last sentence', null],
    ['Thanks', 'without thanks', null],
  ])('%s: %s', (text, said, whole) => {
    expect(made(text, said)).toBe(whole)
  })
})

describe('with more', () => {
  it.each([
    ['add: see you there', 'All fine. See you there.'],
    ['and add: see you there', 'All fine. See you there.'],
    ['füg noch hinzu: bis dann', 'All fine. Bis dann.'],
    ['schreib noch dazu: bis dann!', 'All fine. Bis dann!'],
    ['add that I will bring cake', 'All fine. I will bring cake.'],
    ['und noch mittagessen am freitag passt mir gut dazu', 'All fine. Mittagessen am freitag passt mir gut.'],
    ['and sign it Gwen from Petals', 'All fine\n\nGwen from Petals'],
    ['sign off with Best, Gwen', 'All fine\n\nBest, Gwen'],
    ['unterschreib mit Jörg', 'All fine\n\nJörg'],
    ["put 'Best, Gwen' at the end", 'All fine\n\nBest, Gwen'],
    ['add Best, Gwen at the end', 'All fine\n\nBest, Gwen'],
    ['schreib Liebe Grüße ans Ende', 'All fine\n\nLiebe Grüße'],
    ['put "Hi Ann," at the top', 'Hi Ann,\n\nAll fine'],
  ])('%s', (said, whole) => {
    expect(made('All fine', said)).toBe(whole)
  })
})

it.each([
  'move the dentist to 12',
  'book lunch with Ann on friday',
  'add milk',
  'what is on tomorrow?',
  'and on friday?',
  'remind me to call Tom at 5',
  'write to Mira: see you',
  'at 4',
  'lösch das',
  'schreib mira: statt milch lieber brot',
  'yes',
])('is nothing that only a text could be meant by: %s', (said) => {
  expect(correctionIn(said)?.isSure ?? false).toBe(false)
})

it.each([
  ['change tomorrow to Wednesday', true],
  ['change the dentist to 12', false],
  ['change my language to German', false],
  ['change dinner to friday', false],
  ['say lunch instead of dinner', true],
  ['ohne das danke', true],
  ['remove the dentist', false],
])('is sure of a text by its form: %s', (said, isSure) => {
  expect(correctionIn(said)?.isSure).toBe(isSure)
})
