CREATE TABLE `job_news` (
	`job` text NOT NULL,
	`digest` text NOT NULL,
	`told` integer NOT NULL,
	`seen` integer NOT NULL,
	PRIMARY KEY(`job`, `digest`)
);
--> statement-breakpoint
CREATE INDEX `job_news_seen` ON `job_news` (`job`,`seen`);--> statement-breakpoint
ALTER TABLE `job_runs` ADD `attempt` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_runs` ADD `again` integer;--> statement-breakpoint
CREATE INDEX `job_runs_open` ON `job_runs` (`job`) WHERE ended is null or delivery = 'waiting';--> statement-breakpoint
CREATE INDEX `job_runs_again` ON `job_runs` (`again`) WHERE again is not null;