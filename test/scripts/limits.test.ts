/** SECURITY.md states every limit that the specification requires (S-16), under one heading. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const text = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
const [, promised = ''] = text.split('## What is not promised')
const limits = (promised.split('\n## ')[0] ?? '')
  .split(/\n(?=\d+\. )/)
  .map((limit) => limit.replaceAll(/\s+/g, ' '))

test.each([
  ['the shape of a schedule', /^\d+\. \*\*The shape of a schedule leaks/],
  ['what an unlink recalls', /unlinking two accounts .* recalls nothing/i],
  ['how flexible a plan is', /^\d+\. \*\*A plan is less flexible/],
  ['what a local model can do', /^\d+\. \*\*A local model is less able/],
  ['what extractors take', /^\d+\. \*\*Each format needs its own extractor/],
  ['what platforms see', /^\d+\. \*\*Platforms see metadata/],
  ['how containers start', /^\d+\. \*\*Containers will start slowly/],
  ['that there is one owner', /^\d+\. \*\*One owner/],
  ['how fragile WhatsApp is', /^\d+\. \*\*WhatsApp will be fragile/],
  ['that tools run in home’s process', /^\d+\. \*\*Tools run in the process/],
  ['who must be trusted at the edge', /edge's provider must be trusted .* can read memory and storage/],
])('SECURITY.md states the limit once: %s', (_limit, words) => {
  expect(limits.filter((limit) => words.test(limit))).toHaveLength(1)
})
