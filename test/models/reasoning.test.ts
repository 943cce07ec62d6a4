/**
 * Removal of reasoning from an answer (D-18): every mark, however the chunks are cut, closed or not, and text that only looks like
 * one.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReasoningFilter } from '../../integrations/models/reasoning.ts'

/** The streamed text and the final answer for these chunks. */
function filtered(pieces: readonly string[], begun = false): { heard: string; answer: string } {
  const filter = createReasoningFilter(begun)
  const heard = pieces.map((piece) => filter.push(piece)).join('') + filter.end()
  return { heard, answer: filter.answer() }
}

const TEXTS: readonly [text: string, answer: string][] = [
  ['', ''],
  ['plain', 'plain'],
  ['<think>no</think>yes', 'yes'],
  ['<think>no</think>\n\n yes \n', 'yes \n'],
  ['<THINK>no</Think>yes', 'yes'],
  ['<thinking>no</thinking>yes', 'yes'],
  ['<thought>no</thought>yes', 'yes'],
  ['<reasoning>no</reasoning>yes', 'yes'],
  ['<seed:think>no</seed:think>yes', 'yes'],
  ['[THINK]no[/THINK]yes', 'yes'],
  ['◁think▷no◁/think▷yes', 'yes'],
  ['<|START_THINKING|>no<|END_THINKING|>yes', 'yes'],
  ['<|begin_of_thought|>no<|end_of_thought|>yes', 'yes'],
  ['a<think>no</think>b<think>no</think>c', 'abc'],
  ['<think>no <think>no</think>yes', 'yes'],
  ['<think>no</thinking>no</think>yes', 'yes'],
  ['<think>never ends', ''],
  ['yes<think>never ends', 'yes'],
  ['<think>', ''],
  ['a < b and <thin air', 'a < b and <thin air'],
  ['use `<think>` for that', 'use `<think>` for that'],
  ['he wrote "</think>" there', 'he wrote "</think>" there'],
  ['one\ntwo </think> three', 'one\ntwo </think> three'],
  ['{"a":"<think>"}', '{"a":"<think>"}'],
  ['İstanbul <think>no</think>yes', 'İstanbul yes'],
]

describe('removing reasoning', () => {
  it.each(TEXTS)('the text %j becomes %j', (text, answer) => {
    expect(filtered([text])).toEqual({ heard: answer, answer })
    expect(filtered([...text])).toEqual({ heard: answer, answer })
  })

  it('an end mark on a line of its own without a beginning removes everything before it', () => {
    expect(filtered(['I wonder.\n</think>\n\nyes']).answer).toBe('yes')
  })

  it('an answer may begin inside its reasoning', () => {
    expect(filtered(['I wonder</thi', 'nk>yes'], true)).toEqual({ heard: 'yes', answer: 'yes' })
    expect(filtered(['I wonder'], true)).toEqual({ heard: '', answer: '' })
  })

  it('the result is the same however the text is cut', () => {
    const bit = fc.constantFrom(
      '<think>',
      '</think>',
      '<',
      '</th',
      'ink>',
      '\n',
      '`',
      'a',
      ' b',
      '[THINK]',
      '[/think]',
    )
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 12 }), fc.array(fc.nat(40), { maxLength: 6 }), (bits, cuts) => {
        const text = bits.join('')
        const at = [
          0,
          ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b),
          text.length,
        ]
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
        expect(filtered(pieces)).toEqual(filtered([text]))
      }),
    )
  })
})
