"""Runs under an old Python: reads Parquet files with one library and writes each as a stream of Arrow.

    read_files.py READER FOLDER FILE...

Prints a line of JSON with the version, then one for each file: {"path"} or {"path", "error"}. It may end in the middle of a
file, when the library ends the process; who runs it continues after that file.
"""

import json
import os
import sys


def pyarrow_reader():
    import pyarrow.parquet
    return pyarrow.__version__, pyarrow.parquet.read_table


def duckdb_reader():
    import duckdb

    def read(path):
        connection = duckdb.connect()  # an internal error would make one useless for the files after
        connection.execute('set threads=1')
        connection.execute("set timezone='UTC'")
        found = connection.execute("select * from read_parquet('%s')" % path)
        return found.to_arrow_table() if hasattr(found, 'to_arrow_table') else found.fetch_arrow_table()
    return duckdb.__version__, read


def polars_reader():
    import polars
    return polars.__version__, lambda path: polars.read_parquet(path).to_arrow()


def datafusion_reader():
    import datafusion
    import pyarrow

    def read(path):
        context = datafusion.SessionContext()
        context.register_parquet('t', path)
        found = context.table('t')
        batches = found.collect()
        return pyarrow.Table.from_batches(batches, None if batches else found.schema())
    return datafusion.__version__, read


def chdb_reader():
    import chdb
    import importlib.metadata

    def read(path):
        return chdb.query("select * from file('%s', Parquet) settings session_timezone='UTC', "
                          'output_format_arrow_string_as_string=0, input_format_parquet_preserve_order=1' % path, 'ArrowTable')
    return importlib.metadata.version('chdb'), read


def fastparquet_reader():
    """pandas has one null for floats: it and NaN come as one."""
    import fastparquet
    import pyarrow

    def read(path):
        return pyarrow.Table.from_pandas(fastparquet.ParquetFile(path).to_pandas(), preserve_index=False)
    return fastparquet.__version__, read


def spark_reader():
    import pyarrow
    import pyspark
    from py4j.protocol import Py4JJavaError
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import to_arrow_schema
    builder = SparkSession.builder.master('local[1]')
    for key, value in (('spark.ui.enabled', 'false'), ('spark.sql.session.timeZone', 'UTC'),
                       ('spark.sql.shuffle.partitions', '1'), ('spark.driver.bindAddress', '127.0.0.1'),
                       ('spark.driver.host', '127.0.0.1'), ('spark.ui.showConsoleProgress', 'false'),
                       ('spark.sql.adaptive.enabled', 'false')):
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel('OFF')

    def cause(error):
        while error.getCause() is not None:
            error = error.getCause()
        return RuntimeError(' '.join(str(error.toString()).split()))

    def read(path):
        try:
            frame = session.read.parquet('file://' + path)
            batches = frame._collect_as_arrow()
        except Py4JJavaError as e:
            raise cause(e.java_exception)
        return pyarrow.Table.from_batches(batches, None if batches else to_arrow_schema(frame.schema))
    return pyspark.__version__, read


READERS = {'pyarrow': pyarrow_reader, 'DuckDB': duckdb_reader, 'Polars': polars_reader, 'DataFusion': datafusion_reader,
           'chdb': chdb_reader, 'fastparquet': fastparquet_reader, 'Spark': spark_reader}


def write(table, path):
    import pyarrow
    with pyarrow.OSFile(path, 'wb') as out:
        stream = pyarrow.RecordBatchStreamWriter(out, table.schema)
        stream.write_table(table)
        stream.close()


def main(name, folder, paths):
    version, read = READERS[name]()
    print(json.dumps({'version': version}), flush=True)
    for path in paths:
        found = {'path': path}
        try:
            write(read(path), os.path.join(folder, os.path.basename(path) + '.arrow'))
        except BaseException as e:  # a panic in a Rust library derives from BaseException
            found['error'] = ' '.join(('%s: %s' % (type(e).__name__, e)).split())
        print(json.dumps(found), flush=True)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
