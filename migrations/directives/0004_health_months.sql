CREATE TABLE `health_months` (
	`source` text NOT NULL,
	`month` text NOT NULL,
	`at` integer NOT NULL,
	`label` text NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`source`, `month`)
);
