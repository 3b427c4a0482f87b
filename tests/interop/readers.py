"""The readers that run inside Python. Each returns files as Arrow tables; what they raise is a refusal.

count() answers how many rows have `column operator value` and lets the reader skip row groups by their statistics.
"""

import datetime
import decimal
import importlib.metadata
import os


def quoted(path):
    return "'" + path.replace("'", "''") + "'"


class PyArrow:
    name = family = 'pyarrow'

    def version(self):
        import pyarrow
        return pyarrow.__version__

    def read(self, path):
        import pyarrow.parquet
        return pyarrow.parquet.read_table(path, page_checksum_verification=True)

    def count(self, path, column, operator, value):
        import pyarrow.compute as pc
        import pyarrow.dataset
        compare = {'=': pc.equal, '<': pc.less, '>': pc.greater}[operator]
        data = pyarrow.dataset.dataset(path)
        literal = pyarrow.scalar(value, data.schema.field(column).type)
        return data.count_rows(filter=compare(pc.field(column), literal))


class DuckDB:
    name = family = 'DuckDB'

    def __init__(self):
        import duckdb
        self.connection = duckdb.connect()
        self.connection.execute("set threads=1; set timezone='UTC'")

    def version(self):
        import duckdb
        return duckdb.__version__

    def read(self, path):
        return self.connection.sql(f'select * from read_parquet({quoted(path)})').to_arrow_table()

    def query(self, text, values=()):
        return self.connection.execute(text, list(values)).fetchall()

    def count(self, path, column, operator, value):
        return self.query(f'select count(*) from read_parquet({quoted(path)}) where "{column}" {operator} ?', [value])[0][0]


class Polars:
    name = family = 'Polars'

    def version(self):
        import polars
        return polars.__version__

    def read(self, path):
        import polars
        return polars.read_parquet(path).to_arrow()

    def count(self, path, column, operator, value):
        import polars
        field = polars.col(column)
        predicate = {'=': field == value, '<': field < value, '>': field > value}[operator]
        return polars.scan_parquet(path).filter(predicate).select(polars.len()).collect().item()


def clickhouse_literal(value):
    if isinstance(value, datetime.datetime):
        return f"toDateTime64('{value:%Y-%m-%d %H:%M:%S.%f}', 6, 'UTC')"
    if isinstance(value, datetime.date):
        return f"toDate32('{value}')"
    if isinstance(value, decimal.Decimal):
        return f"toDecimal128('{value}', 2)"
    return quoted(value) if isinstance(value, str) else repr(value)


class ClickHouse:
    name = family = 'chdb'

    def version(self):
        return f"{importlib.metadata.version('chdb')} (ClickHouse {self.text('select version()').strip()})"

    def read(self, path):
        import chdb
        return chdb.query(f"select * from file({quoted(path)}, Parquet) settings session_timezone='UTC', "
                          'output_format_arrow_string_as_string=0, input_format_parquet_preserve_order=1', 'ArrowTable')

    def text(self, query):
        import chdb
        return str(chdb.query(query, 'TSVRaw'))

    def count(self, path, column, operator, value):
        return int(self.text(f'select count() from file({quoted(path)}, Parquet) '
                             f'where `{column}` {operator} {clickhouse_literal(value)}'))


class Spark:
    """One session serves both of its Parquet readers."""
    family = 'Spark'
    session = None

    def __init__(self, vectorized):
        self.vectorized = vectorized
        self.number = 0 if vectorized else 1
        self.name = 'Spark vectorized' if vectorized else 'Spark parquet-java'

    def version(self):
        import pyspark
        return pyspark.__version__

    @classmethod
    def open_session(cls):
        if cls.session is None:
            os.environ.setdefault('SPARK_LOCAL_HOSTNAME', 'localhost')
            # Many short queries: they end before the optimising compiler pays.
            os.environ.setdefault('PYSPARK_SUBMIT_ARGS',
                                  '--driver-java-options -XX:TieredStopAtLevel=1 pyspark-shell')
            from pyspark.sql import SparkSession
            builder = SparkSession.builder.master('local[1]')
            for key, value in (('spark.ui.enabled', 'false'), ('spark.sql.session.timeZone', 'UTC'),
                               ('spark.sql.shuffle.partitions', '1'), ('spark.driver.bindAddress', '127.0.0.1'),
                               ('spark.driver.host', '127.0.0.1'), ('spark.log.level', 'OFF'),
                               ('spark.ui.showConsoleProgress', 'false'), ('spark.sql.adaptive.enabled', 'false')):
                builder = builder.config(key, value)
            cls.session = builder.getOrCreate()
            cls.session.sparkContext.setLogLevel('OFF')
        return cls.session

    @classmethod
    def close_session(cls):
        if cls.session is not None:
            cls.session.stop()

    def frame(self, path):
        session = self.open_session()
        session.conf.set('spark.sql.parquet.enableVectorizedReader', str(self.vectorized).lower())
        return session.read.parquet('file://' + os.path.abspath(path))

    def read(self, path):
        return self.frame(path).toArrow()

    def read_with(self, setting, path):
        """Reads like read(), with a setting of the session turned on."""
        self.open_session().conf.set(setting, 'true')
        try:
            return self.read(path)
        finally:
            self.session.conf.unset(setting)

    def count(self, path, column, operator, value):
        from pyspark.sql import functions
        if isinstance(value, int) and value >= 1 << 63:
            value = decimal.Decimal(value)  # an unsigned 64-bit column is a decimal to Spark
        field = functions.col(column)
        predicate = {'=': field == value, '<': field < value, '>': field > value}[operator]
        return self.frame(path).filter(predicate).count()


def python_readers():
    return [PyArrow(), DuckDB(), Polars(), ClickHouse(), Spark(True), Spark(False)]
