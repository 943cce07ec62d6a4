/** A German clause behind "dass" as a sentence of its own, so that nothing broken is sent in the owner's name. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mainClause } from '../../integrations/tools/main-clause.ts'

describe('a clause behind "dass"', () => {
  it.each([
    ['ich später komme', 'ich komme später'],
    ['ich mich verspäte', 'ich verspäte mich'],
    ['ich mich um 10 minuten verspäte.', 'ich verspäte mich um 10 minuten.'],
    ['ich am freitag dabei bin', 'ich bin am freitag dabei'],
    ['er abholen soll', 'er soll abholen'],
    ['er die Kinder um 3 abholen soll', 'er soll die Kinder um 3 abholen'],
    ['ich es geschafft habe', 'ich habe es geschafft'],
    ['ich nicht kommen kann?', 'ich kann nicht kommen'],
    ['wir das nicht schaffen', 'wir schaffen das nicht'],
    ['ich ihn um 5 abhole', 'ich hole ihn um 5 ab'],
    ['ich morgen mitkomme', 'ich komme morgen mit'],
    ['ich ihm antworte', 'ich antworte ihm'],
    ['es heute nicht klappt', 'es klappt heute nicht'],
    ['das nicht geht', 'das geht nicht'],
    ['sie uns besucht', 'sie besucht uns'],
    ['sie morgen anrufen', 'sie rufen morgen an'],
    ['du kommen sollst', 'du sollst kommen'],
    ['der termin ausfällt', 'der termin fällt aus'],
    ['das meeting um 3 ist', 'das meeting ist um 3'],
    ['mein sohn krank ist', 'mein sohn ist krank'],
    ['ich zum Kaffee komme und einen Kuchen mitbringe', 'ich komme zum Kaffee und bringe einen Kuchen mit'],
    ['ich tom und sarah treffe', 'ich treffe tom und sarah'],
    ['ich freitag mittag kann und die zahlen passen', 'ich kann freitag mittag und die zahlen passen'],
    ['ich komme und die zahlen schicke', 'ich komme und schicke die zahlen'],
    ['wir kommen und die zahlen prüfen', 'wir kommen und die zahlen prüfen'],
    ['mir freitag passt', 'mir passt freitag'],
    ['mir das leid tut', 'mir tut das leid'],
    ['uns niemand abholt', 'uns holt niemand ab'],
    [
      'wir uns morgen um 8 treffen, heute schaff ich nicht',
      'wir treffen uns morgen um 8, heute schaff ich nicht',
    ],
    ['ich mich verspäte, weil der zug ausfällt', 'ich verspäte mich, weil der zug ausfällt'],
    ['ich krank bin', 'ich bin krank'],
    ['ich das geld überwiesen habe', 'ich habe das geld überwiesen'],
  ])('%s: %s', (said, told) => expect(mainClause(said)).toBe(told))

  it.each([
    ['komme ich später', 'its subject is not first'],
    ['ich komme später', 'the verb is not last'],
    ['ich komme heute', 'the last word is no verb'],
    ['wir kommen morgen', 'the last word is no verb'],
    ['mich jemand anruft', 'its subject is not first'],
    ['mein kleiner sohn heute krank ist', 'the end of its subject is not sure'],
    ['wir das haben machen können', 'the verb is not last'],
    ['ich das auto, das rot ist, verkaufe', 'another clause is within it'],
    ['ich die frist abonkele', 'the verb is not known, and may have a prefix'],
  ])('stays as typed: %s (%s)', (said) => expect(mainClause(said)).toBe(said))

  it('loses and adds no word, whatever it says', () => {
    const letters = (text: string) => [...text.replaceAll(/\s/g, '')].sort().join('')
    const word = fc.constantFrom(
      ...'ich wir er sie es du das der termin mich nicht um morgen und oder abhole mitkomme verspäte soll kann habe können haben kommen kommt fällt ausfällt käse bin ist, weil antworte . !'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 9 }), (words) => {
        const said = words.join(' ')
        expect(letters(mainClause(said))).toBe(letters(said))
      }),
    )
    fc.assert(
      fc.property(fc.string(), (said) => {
        expect(letters(mainClause(said))).toBe(
          letters(said.replace(/[\s.!?]*$/, (end) => end.replaceAll('?', ''))),
        )
      }),
    )
  })
})
