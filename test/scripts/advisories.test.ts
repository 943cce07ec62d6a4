/** How CI judges the output of `npm audit` (S-17), for each way in which it can end. */
import { expect, test } from 'vitest'
import { judgeAdvisories } from '../../scripts/advisories.ts'

const found = (...severities: readonly string[]): string =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      severities.map((severity, n) => [
        `package-${n}`,
        {
          name: `package-${n}`,
          severity,
          isDirect: false,
          via: [],
          effects: [],
          range: '<2',
          fixAvailable: true,
        },
      ]),
    ),
    metadata: { vulnerabilities: { total: severities.length } },
  })

const REFUSED = {
  message: '405 Method Not Allowed - POST /-/npm/v1/security/advisories/bulk',
  method: 'POST',
  statusCode: 405,
  body: '',
  error: { summary: '', detail: '' },
}
const UNREACHED = {
  message: 'request to /-/npm/v1/security/advisories/bulk failed, reason: connect ECONNREFUSED 127.0.0.1:9',
  error: { summary: '', detail: '' },
}

test.each([
  ['nothing is known of what ships', found(), true, 'none of level high'],
  ['only lesser ones', found('low', 'moderate', 'info'), true, 'none of level high'],
  ['one that is high', found('low', 'high'), false, 'package-1 (high)'],
  ['one that is critical', found('critical'), false, 'package-0 (critical)'],
  ['no network', JSON.stringify(UNREACHED), true, 'not looked at'],
  ['a registry without advisories', JSON.stringify(REFUSED), true, 'not looked at'],
  [
    'no lock file',
    JSON.stringify({ error: { code: 'ENOLOCK', summary: 'x', detail: '' } }),
    true,
    'not looked at',
  ],
  ['npm was killed', '', true, 'not looked at'],
  ['half an answer', found('critical').slice(0, 40), true, 'not looked at'],
])('advisories: %s', (_what, output, ok, says) => {
  const advice = judgeAdvisories(output)
  expect([advice.ok, advice.says]).toEqual([ok, expect.stringContaining(says)])
})
