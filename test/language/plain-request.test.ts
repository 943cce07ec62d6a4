/** What is polite around a request, and where a German verb stands. */
import { describe, expect, it } from 'vitest'
import { plainRequest, withArticles } from '../../kernel/operations/plain-request.ts'

describe('a request without what is polite around it', () => {
  it.each([
    ['Good morning. Please show me the unread emails', 'show me the unread emails'],
    ['can u email Denise', 'email Denise'],
    ['add milk to the list pls', 'add milk to the list'],
    ['Bitte tragen Sie mir am 3.12. Elternsprechtag ein', 'trag mir am 3.12. Elternsprechtag ein'],
    ['Merken Sie sich bitte: der Lukas hat eine Allergie', 'merk dir: der Lukas hat eine Allergie'],
    ['kannst du butter auf die liste setzen', 'setz butter auf die liste'],
    [
      'Könnten Sie dem Herrn Novak schreiben, dass es später wird',
      'schreib dem Herrn Novak, dass es später wird',
    ],
    ['prüfung 14. januar 9 uhr, pls eintragen', 'trag prüfung 14. januar 9 uhr ein'],
  ])('%s', (typed, plain) => expect(plainRequest(typed).text).toBe(plain))

  it.each([
    'Haben Sie Post für mich?',
    'was steht heute an',
    'reply to Tom: yes please',
    'lunch with Jean on Friday',
    'wie lang müssen kartoffeln kochen',
  ])('leaves alone: %s', (text) => expect(plainRequest(text).text).toBe(text))

  it('says that it was a polite request', () => {
    expect(plainRequest('could you remember my birthday?').polite).toBe(true)
    expect(plainRequest('remember my birthday, please?').polite).toBe(true)
    expect(plainRequest('remember my birthday?').polite).toBe(false)
  })
})

describe('German articles as they are spoken', () => {
  it.each([
    ['verschieb das um ne halbe stunde', 'verschieb das um eine halbe stunde'],
    ['erinner mich in ner stunde an den tee', 'erinner mich in einer stunde an den tee'],
    ['mach nen termin mit tom', 'mach einen termin mit tom'],
    ["trag 'n termin ein", 'trag ein termin ein'],
    ['hab ich morgen mal n termin', 'hab ich morgen mal ein termin'],
    ['schick tom um 8 ne kurze mail: hab ne frage', 'schick tom um 8 eine kurze mail: hab ne frage'],
  ])('%s', (typed, plain) => expect(withArticles(typed)).toBe(plain))

  it.each([
    'ne lieber am 2.',
    'und ne doch nicht',
    'fish n chips auf die liste',
    'antworte sarah hab ne frage',
    'merk dir, dass ich ne katze hab',
    'schreib "ne frage" auf',
    'drive to NE',
  ])('leaves alone: %s', (text) => expect(withArticles(text)).toBe(text))
})
