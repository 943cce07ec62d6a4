CREATE TABLE `job_runs` (
	`job` text NOT NULL,
	`scheduled` integer NOT NULL,
	`started` integer NOT NULL,
	`ended` integer,
	`outcome` text NOT NULL,
	`delivery` text NOT NULL,
	`code` text,
	`task` text,
	PRIMARY KEY(`job`, `scheduled`)
);
--> statement-breakpoint
CREATE INDEX `job_runs_task` ON `job_runs` (`task`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`template` text NOT NULL,
	`sink` text NOT NULL,
	`words` text NOT NULL,
	`frozen` text NOT NULL,
	`digest` text NOT NULL,
	`repeat` text NOT NULL,
	`zone` text NOT NULL,
	`missed` text NOT NULL,
	`quiet` integer NOT NULL,
	`state` text NOT NULL,
	`why` text,
	`due` integer,
	`skips` text,
	`failures` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_number` ON `jobs` (`number`);--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due`) WHERE state = 'on' and due is not null;