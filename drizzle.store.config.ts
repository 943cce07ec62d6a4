/** Where drizzle-kit finds the store schema and puts its migrations. Read by `npm run migrations` only. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './integrations/store/schema/schema.ts',
    './integrations/store/schema/job-schema.ts',
    './integrations/store/schema/contact-schema.ts',
    './integrations/store/schema/reminder-schema.ts',
    './integrations/store/schema/shared-schema.ts',
  ],
  out: './migrations/store',
})
