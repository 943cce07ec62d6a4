/** The extractor of mail over what senders really write (J-04). */
import { expect, it } from 'vitest'
import { shapeListed, shapeRead } from '../../integrations/tools/email/shape.ts'
import { createPageReader } from '../../sidecar/pages/page-reader.ts'
import { MAIL_CASES } from './mail-cases.ts'

const htmlText = createPageReader().text

it.each(MAIL_CASES)('%s', async (_name, resource, expected) => {
  const message = JSON.parse(JSON.stringify(resource)) as Record<string, unknown>
  const read = await shapeRead(message, htmlText)
  expect(read.ok && read.value).toMatchObject(expected)
  expect(shapeListed(message).ok).toBe(true)
})

it('are of fifty kinds', () =>
  expect(new Set(MAIL_CASES.map(([name]) => name)).size).toBeGreaterThanOrEqual(50))
