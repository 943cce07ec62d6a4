/** When a service may be called again, by its response headers (RFC 9110 §10.2.3). */
import { describe, expect, it } from 'vitest'
import { retryAfter } from '../../integrations/models/failure.ts'

const NOW = Date.parse('2026-11-22T10:00:00Z')

describe('the retry delay of a response', () => {
  it.each<[headers: Record<string, string>, milliseconds: number | null]>([
    [{}, null],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 2 ' }, 2_000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Sun, 22 Nov 2026 10:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sun, 22 Nov 2026 09:59:30 GMT' }, 0],
    [{ 'retry-after': 'Sun, 22 Nov 2126 10:00:00 GMT' }, 86_400_000],
    [{ 'retry-after': '-3' }, null],
    [{ 'retry-after': '1e9' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after-ms': '750', 'retry-after': '9' }, 750],
    [{ 'retry-after-ms': 'NaN', 'retry-after': '9' }, 9_000],
  ])('the headers %j give %s ms', (headers, milliseconds) => {
    expect(retryAfter(headers, NOW)).toBe(milliseconds)
  })
})
